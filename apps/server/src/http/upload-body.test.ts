import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "parts" } })
})
afterAll(() => server[Symbol.asyncDispose]())

const headers = { "content-type": "multipart/form-data; boundary=b" }
const put = (body: string) => server.call("PUT", `${FILES}/default/filesets/parts/-/a.txt`, { body, headers })

describe("a multipart upload", () => {
  it(
    "of more than 16 parts is refused without waiting for the file part",
    verifies("files.upload.malformed-multipart"),
    async () => {
      const answer = await put('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(1000))
      expect([answer.status, answer.json.code]).toEqual([400, "bad_upload"])
      expect(answer.text).toContain("more than 16 parts")
    },
  )

  it(
    "that ends within its file part is a bad_upload at any length",
    verifies("files.upload.malformed-multipart"),
    async () => {
      const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
      const answer = await put(part + "\r\n--".repeat(1_000_000))
      expect([answer.status, answer.json.code]).toEqual([400, "bad_upload"])
    },
  )
})
