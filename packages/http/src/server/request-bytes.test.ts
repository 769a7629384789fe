import { Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import { requestBytes } from "./request-bytes.ts"

const LIMITS = { path: "a.bin", idleMs: 60_000 }
const read = (body: Readable, limits = {}) => Array.fromAsync(requestBytes(body, { ...LIMITS, ...limits }))

describe("the bytes of an upload", () => {
  it("arrive in order", async () => {
    const body = Readable.from([Buffer.from("he"), Buffer.from("llo")], { objectMode: false })
    expect(Buffer.concat(await read(body, { maxBytes: 5 })).toString()).toBe("hello")
  })

  it("end with too_large after the maximum", async () => {
    const body = Readable.from([Buffer.from("he"), Buffer.from("llo")], { objectMode: false })
    await expect(read(body, { maxBytes: 4, setting: "MAX" })).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("(MAX)"),
    })
  })

  it("end with upload_idle if the client is silent for too long", async () => {
    const body = new Readable({ read() {} })
    body.push("he")
    await expect(read(body, { idleMs: 5 })).rejects.toMatchObject({
      code: "upload_idle",
      message: expect.stringContaining("a.bin"),
    })
  })

  it("end with bad_upload if the connection ends", async () => {
    const body = new Readable({ read() {} })
    body.push("he")
    body.destroy(Object.assign(new Error("aborted"), { code: "ECONNRESET" }))
    await expect(read(body)).rejects.toMatchObject({ code: "bad_upload" })
  })
})
