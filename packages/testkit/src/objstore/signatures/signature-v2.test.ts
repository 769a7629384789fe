import { createHash } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type FakeObjstore, startFakeObjstore } from "../start-fake-objstore.ts"
import { askRaw, type RawAnswer, type RawRequest } from "../testing/ask-raw.ts"
import { signV2 } from "../testing/sign-v2.ts"

const TIME = Date.UTC(2026, 0, 2, 3, 4, 5)
const DATE = new Date(TIME).toUTCString()

let server: FakeObjstore
beforeEach(async () => {
  server = await startFakeObjstore({ now: () => TIME })
  server.write("a b//c", "hello")
})
afterEach(() => server.close())

function ask(request: RawRequest, resource: string, date = DATE): Promise<RawAnswer> {
  return askRaw(server.endpoint, signV2(server, request, resource, date))
}

describe("signatures of version 2", () => {
  it("cover the path as it is sent", async () => {
    const path = "/files/a%20b//c"
    expect((await ask({ method: "GET", path }, path)).body.toString()).toBe("hello")
    expect((await ask({ method: "GET", path }, "/files/a b//c")).status).toBe(403)
    expect((await ask({ method: "GET", path }, "/files/a%20b/c")).status).toBe(403)
  })

  it("cover method, digest, type and the headers of S3", async () => {
    const path = "/files/new"
    const headers = {
      "content-md5": createHash("md5").update("hello").digest("base64"),
      "content-type": "text/plain",
      "x-amz-meta-b": "2",
      "x-amz-meta-a": "1",
    }
    const put: RawRequest = { method: "PUT", path, headers, body: "hello" }
    expect((await ask(put, path)).status).toBe(200)
    const signed = signV2(server, put, path, DATE)
    for (const change of Object.keys(headers)) {
      const changed = { ...signed, headers: { ...signed.headers, [change]: "other" } }
      expect((await askRaw(server.endpoint, changed)).status).toBe(403)
    }
    expect((await askRaw(server.endpoint, { ...signed, method: "POST" })).status).toBe(403)
  })

  it("cover the parameters that name a sub-resource, sorted and decoded, and no other", async () => {
    const query = "/files?x-id=a&uploads&prefix=%2B&max-uploads=1"
    expect((await ask({ method: "GET", path: query }, "/files?uploads")).status).toBe(200)
    expect((await ask({ method: "GET", path: query }, "/files")).status).toBe(403)
    const listing = "/files/?list-type=2&prefix=a"
    expect((await ask({ method: "GET", path: listing }, "/files/")).status).toBe(200)
    const part: RawRequest = { method: "PUT", path: "/files/x?uploadId=%2B%3D&partNumber=1", body: "" }
    expect((await ask(part, "/files/x?partNumber=1&uploadId=+=")).body.toString()).toContain("NoSuchUpload")
    expect((await ask(part, "/files/x?partNumber=1&uploadId=%2B%3D")).body.toString()).toContain(
      "SignatureDoesNotMatch",
    )
  })

  it("use x-amz-date if it is sent, and then have an empty line for Date", async () => {
    const request = { method: "GET", path: "/files/a%20b//c", headers: { "x-amz-date": DATE } }
    expect((await ask(request, request.path)).status).toBe(200)
    const both = { ...request, headers: { ...request.headers, date: DATE } }
    expect((await ask(both, request.path)).status).toBe(200)
  })

  it("are refused with the text to sign if they are wrong, for an unknown key, and for another time", async () => {
    const path = "/files/a%20b//c"
    const wrong = await ask({ method: "GET", path }, "/other")
    expect(wrong.body.toString()).toContain(`<StringToSign>GET\n\n\n${DATE}\n/files/a%20b//c</StringToSign>`)
    const stranger = signV2({ ...server, accessKeyId: "nobody" }, { method: "GET", path }, path, DATE)
    expect((await askRaw(server.endpoint, stranger)).body.toString()).toContain("InvalidAccessKeyId")
    const late = await ask({ method: "GET", path }, path, new Date(TIME - 16 * 60_000).toUTCString())
    expect([late.status, late.body.toString()]).toEqual([403, expect.stringContaining("RequestTimeTooSkewed")])
  })

  // Source: "Signing and authenticating REST requests" of the S3 developer guide, with its example key.
  it.each([
    ["GET", "/johnsmith/photos/puppy.jpg", "19:36:42", {}, "bWq2s1WEIj+Ydj0vQ697zp+IXMU="],
    [
      "PUT",
      "/johnsmith/photos/puppy.jpg",
      "21:15:45",
      { "content-type": "image/jpeg" },
      "MyyxeRY7whkBe+bq8fHCL/2kKUg=",
    ],
    ["GET", "/johnsmith/?prefix=photos&max-keys=50&marker=puppy", "19:42:41", {}, "htDYFYduRNen8P9ZfE/s9SuKy0U="],
  ])("accept the published signature of %s %s", async (method, path, time, headers, signature) => {
    await server.close()
    server = await startFakeObjstore({
      buckets: { johnsmith: {} },
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      now: () => Date.parse(`2007-03-27T${time}Z`),
    })
    const date = `Tue, 27 Mar 2007 ${time} +0000`
    const send = (given: string) =>
      askRaw(server.endpoint, {
        method,
        path,
        headers: { ...headers, date, authorization: `AWS AKIAIOSFODNN7EXAMPLE:${given}` },
        ...(method === "PUT" ? { body: "jpeg" } : {}),
      })
    expect((await send(signature)).status).not.toBe(403)
    expect((await send(signature.replace("=", "A="))).status).toBe(403)
  })

  it("are refused by a server that knows only version 4", async () => {
    await server.close()
    server = await startFakeObjstore({ signatures: ["v4"], now: () => TIME })
    const { status, body } = await ask({ method: "GET", path: "/files/a" }, "/files/a")
    expect(status).toBe(400)
    expect(body.toString()).toContain("<Code>InvalidRequest</Code>")
    expect(body.toString()).toContain(
      "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.",
    )
  })
})
