import { seen, type Answer, type Send } from "./operation.ts"

export const FILES = "/apis/files/v2/workspaces/default/filesets"

/** Returns the answer of a preparation. @throws if it is an error */
export async function must(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer
  if (given.status < 200 || given.status > 299) throw new Error(`A preparation returned ${given.status}: ${given.text}`)
  return given
}

/** Creates a fileset with files, and returns its address. */
export async function makeFileset(
  send: Send,
  id: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  await must(send("POST", FILES, { json: { name: id } }))
  for (const [path, body] of Object.entries(files)) await must(send("PUT", `${FILES}/${id}/-/${path}`, { body }))
  return `${FILES}/${id}`
}

/** Reads a fileset: its record, its listing, and the bytes of the files. */
export async function readFileset(send: Send, id: string, paths: readonly string[]): Promise<unknown> {
  const reads = [`${FILES}/${id}`, `${FILES}/${id}/files`, ...paths.map((path) => `${FILES}/${id}/-/${path}`)]
  return Promise.all(reads.map(async (path) => seen(await send("GET", path))))
}

export const OLD = "old bytes ".repeat(1000)
export const NEW = "new bytes! ".repeat(2000)
