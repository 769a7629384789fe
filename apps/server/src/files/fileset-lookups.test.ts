import { StatementSync } from "node:sqlite"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { BYTES, startFilesServer } from "../testing/start-files-server.ts"
import { FILES, type Answer, type TestServer } from "../testing/start-test-server.ts"

const SCHEMA = { type: "object", properties: { id: { type: "integer" } } }
const CHECKED = `${FILES}/default/filesets/checked`

let server: TestServer
beforeAll(async () => {
  server = await startFilesServer()
  const metadata = { dataset: { schema: SCHEMA, enforce: "reject" } }
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "checked", metadata } })
})
afterAll(() => server[Symbol.asyncDispose]())

interface Reads {
  readonly status: number
  readonly reads: number
}

/** Sends a request three times, and returns the response with the fewest reads: work in the background reads, too. */
async function readsOf(send: () => Promise<Answer>): Promise<Reads> {
  const [first, second, third] = [await countReads(send), await countReads(send), await countReads(send)]
  return [second, third].reduce((least, one) => (one.reads < least.reads ? one : least), first)
}

/**
 * Returns the status of a response, and how many times the database was read meanwhile. Each read asks for the version of the database,
 * even if its result is remembered.
 */
async function countReads(send: () => Promise<Answer>): Promise<Reads> {
  const all = vi.spyOn(StatementSync.prototype, "all")
  try {
    const { status } = await send()
    const texts = all.mock.contexts.map((one) => (one instanceof StatementSync ? one.sourceSQL : ""))
    return { status, reads: texts.filter((text) => text === "pragma data_version").length }
  } finally {
    all.mockRestore()
  }
}

it("PUT of rows reads the record of its fileset once, and its name again after the write", async () => {
  const put = (body: string) => readsOf(() => server.call("PUT", `${CHECKED}/-/a.jsonl`, { body }))
  expect(await put('{"id":"x"}\n')).toEqual({ status: 422, reads: 1 })
  expect(await put('{"id":1}\n')).toEqual({ status: 200, reads: 2 })
})

it("The start of a resumable upload reads the record of its fileset once", async () => {
  const metadata = `path ${Buffer.from("b.jsonl").toString("base64")}`
  const headers = { "tus-resumable": "1.0.0", "upload-length": "5", "upload-metadata": metadata }
  expect(await readsOf(() => server.call("POST", `${BYTES}/uploads`, { headers }))).toEqual({ status: 201, reads: 1 })
})
