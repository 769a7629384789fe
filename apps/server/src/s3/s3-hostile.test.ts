import { createConnection } from "node:net"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callS3, signS3, type TestAccessKey } from "../testing/sign-s3.ts"
import { startS3, type S3TestServer } from "../testing/start-s3.ts"

let s3: S3TestServer
let key: TestAccessKey
beforeAll(async () => {
  s3 = await startS3({ ASSAY_UPLOAD_IDLE_SECONDS: "1" })
  key = await s3.key({ workspace: "default", role: "editor" })
})
afterAll(() => s3[Symbol.asyncDispose]())

const call = (method: string, path: string, body = "", headers: Readonly<Record<string, string>> = {}) =>
  callS3({ server: s3.server, key }, method, path, { body, headers })
const codeOf = (text: string) => /<Code>(\w+)/.exec(text)?.[1]
const names = async () =>
  [...(await call("GET", "/s3/default.a")).text.matchAll(/<Key>([^<]+)/g)].map(([, name]) => name)

/** Sends a request as it is, and returns all that comes back until the server closes the connection. */
function sendRaw(parts: readonly string[], { isOpen = false } = {}): Promise<string> {
  const { hostname, port } = new URL(s3.server.url)
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), hostname)
    let text = ""
    socket.on("data", (data: Buffer) => void (text += data.toString()))
    socket.on("close", () => resolve(text))
    socket.on("error", reject)
    socket.write(parts.join("\r\n"))
    if (!isOpen) socket.end()
  })
}

function signedLines(path: string, body: string, headers: Readonly<Record<string, string>> = {}): string[] {
  const signed = signS3("PUT", path, { body, headers }, { ...key, host: new URL(s3.server.url).host })
  return [`PUT ${path} HTTP/1.1`, ...Object.entries(signed.headers).map(([name, value]) => `${name}: ${value}`)]
}

describe("the S3 endpoint", () => {
  it("refuses hostile documents", verifies("s3.hostile"), async () => {
    const deep = "<a>".repeat(100_000)
    const entity = '<!DOCTYPE x [<!ENTITY a "aaaa">]><Delete><Object><Key>&a;</Key></Object></Delete>'
    const many = `<Delete>${"<Object><Key>a</Key></Object>".repeat(1001)}</Delete>`
    for (const body of ["", "x", deep, entity, many, "<Delete/>", "\u0000", '{"a":1}']) {
      for (const path of ["/s3/default.a?delete=", "/s3/default.a/x?uploadId=none"]) {
        const { status, text } = await call("POST", path, body)
        expect([body.slice(0, 20), status, codeOf(text)]).toEqual([body.slice(0, 20), 400, "MalformedXML"])
        expect(text.length).toBeLessThan(1500)
      }
    }
    const large = await call("POST", "/s3/default.a?delete=", "x".repeat(4_194_305))
    expect([large.status, codeOf(large.text)]).toEqual([413, "EntityTooLarge"])
  })

  it("refuses hostile paths and names, and repeats little of them", verifies("s3.hostile"), async () => {
    const long = "x".repeat(7000)
    for (const path of [
      "..%2Fa",
      "%2e%2e/a",
      "a/%2e/b",
      "a%5Cb",
      "a%00",
      "a%E2%80%AEb",
      "%ED%A0%80",
      "a//b",
      long,
      `${"d/".repeat(600)}x`,
    ]) {
      for (const method of ["PUT", "GET", "DELETE"]) {
        // A path that can't be decoded can't be signed.
        const { status, text } =
          path === "%ED%A0%80"
            ? await s3.server.call(method, `/s3/default.a/${path}`)
            : await call(method, `/s3/default.a/${path}`)
        const isReadable = path.includes("%AE") && method !== "PUT"
        expect([path.slice(0, 20), method, status]).toEqual([
          path.slice(0, 20),
          method,
          isReadable ? (method === "GET" ? 404 : 204) : 400,
        ])
        expect(text.length).toBeLessThan(1500)
      }
    }
    for (const query of [
      "max-keys=-1",
      "max-keys=x",
      "list-type=3",
      "encoding-type=x",
      "continuation-token=x",
      `prefix=${"y".repeat(5000)}`,
    ]) {
      const { status, text } = await call(
        "GET",
        `/s3/default.a?${query.startsWith("list") ? "" : "list-type=2&"}${query}`,
      )
      expect([query.slice(0, 20), status, codeOf(text)]).toEqual([query.slice(0, 20), 400, "InvalidArgument"])
    }
    expect(await names()).toEqual([])
  })

  it("refuses headers that are sent twice", verifies("s3.hostile"), async () => {
    const path = "/s3/default.a/twice"
    for (const header of [
      "x-amz-date: 20200101T000000Z",
      "x-amz-content-sha256: UNSIGNED-PAYLOAD",
      "authorization: x",
      "if-none-match: *\r\nif-none-match: *",
    ]) {
      const answer = await sendRaw([
        ...signedLines(path, "x"),
        header,
        "content-length: 1",
        "connection: close",
        "",
        "x",
      ])
      expect([header, codeOf(answer)]).toEqual([header, "InvalidArgument"])
    }
    expect(await names()).toEqual([])
  })

  it(
    "stores nothing of a body that breaks off, is silent or lies about its length",
    verifies("s3.hostile"),
    async () => {
      const path = "/s3/default.a/broken"
      const broken = await sendRaw([...signedLines(path, "0123456789"), "content-length: 10", "", "01234"])
      expect(broken).not.toContain(" 200 ")
      const silent = await sendRaw([...signedLines(path, "0123456789"), "content-length: 10", "", "01234"], {
        isOpen: true,
      })
      expect([silent.split("\r\n", 1)[0], codeOf(silent)]).toEqual(["HTTP/1.1 408 Request Timeout", "RequestTimeout"])
      const chunked = {
        "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        "x-amz-decoded-content-length": "5",
        "x-amz-trailer": "x-amz-checksum-crc32",
        "content-encoding": "aws-chunked",
      }
      for (const body of [
        "5\r\n01234\r\n",
        "5\r\n01234\r\n0\r\n\r\n",
        "6\r\n012345\r\n0\r\n",
        "fffffff\r\n0",
        "z\r\n",
      ]) {
        const { status, text } = await call("PUT", path, body, chunked)
        expect([body, status, ["IncompleteBody", "MalformedTrailerError"].includes(codeOf(text) ?? "")]).toEqual([
          body,
          400,
          true,
        ])
      }
      expect(await names()).toEqual([])
    },
  )

  it("refuses what other parts of S3 would do, by name", verifies("s3.not-implemented"), async () => {
    const parameters = [
      "acl",
      "policy",
      "cors",
      "lifecycle",
      "tagging",
      "versions",
      "encryption",
      "website",
      "object-lock",
      "metadataTable",
    ]
    for (const parameter of parameters) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const { status, text } = await call(method, `/s3/default.a?${parameter}=`)
        expect([method, parameter, status, codeOf(text)]).toEqual([method, parameter, 501, "NotImplemented"])
        expect(text).toContain(`'${parameter}'`)
      }
    }
    expect((await call("PATCH", "/s3/default.a")).status).toBeGreaterThanOrEqual(400)
    expect((await call("GET", "/s3/default.a")).status).toBe(200)
  })
})
