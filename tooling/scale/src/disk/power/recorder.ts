import { createHash } from "node:crypto"
import type { Answer, Send } from "../faults/operation.ts"

/** A write that a server answered, and what a reader must see from then on. */
export interface Acknowledged {
  /** The subject of the change. Later writes of the same subject replace it. */
  readonly subject: string
  /** Numbers of log entries when it was sent, and when its answer had arrived. */
  readonly begun: number
  readonly ended: number
  /** Reads the subject. */
  readonly read: (send: Send) => Promise<Answer>
  /** Returns what is wrong with the answer, or undefined. `isAnswered`: whether the write was acknowledged. */
  readonly check: (answer: Answer, isAnswered: boolean) => string | undefined
}

export const FILES = "/apis/files/v2/workspaces/default/filesets"
export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Sends requests to a server whose calls are recorded, and notes what was acknowledged. */
export interface Recorder {
  readonly send: Send
  readonly position: () => number
  readonly note: (one: Acknowledged) => void
}

export type Step = Pick<Acknowledged, "subject" | "read" | "check"> & { readonly write: () => Promise<Answer> }

/** Sends a write, and notes that it was acknowledged. @throws if it was not */
export async function record({ position, note }: Recorder, { write, ...step }: Step): Promise<Answer> {
  const begun = position()
  const answer = await write()
  if (answer.status < 200 || answer.status > 299) throw new Error(`A write returned ${answer.status}: ${answer.text}`)
  note({ ...step, begun, ended: position() })
  return answer
}

export const hasStatus = (wanted: number) => (answer: Answer) =>
  answer.status === wanted ? undefined : `the status is ${answer.status}, not ${wanted}`

/** Checks the bytes and the ETag of a file. */
export function isFile(body: string): Acknowledged["check"] {
  const etag = `"${sha256(body)}"`
  return (answer, isAnswered) => {
    if (answer.status !== 200) return `the status is ${answer.status}`
    if (answer.text !== body) return `the bytes differ (${answer.text.length}, not ${body.length})`
    return !isAnswered || answer.headers.get("etag") === etag
      ? undefined
      : `the ETag is ${answer.headers.get("etag")}, not the digest`
  }
}

/** Creates a fileset. */
export const filesetStep = (send: Send, name: string): Step => ({
  subject: `fileset ${name}`,
  read: (from) => from("GET", `${FILES}/${name}`),
  check: hasStatus(200),
  write: () => send("POST", FILES, { json: { name } }),
})
