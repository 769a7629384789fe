import { createHash, createHmac } from "node:crypto"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ChunkSigning } from "../signature/verify-signature.ts"
import { createChecksums } from "./checksums.ts"
import { openBody } from "./open-body.ts"

const begin = createChecksums()
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
const KEY = ["20130524", "us-east-1", "s3", "aws4_request"].reduce<string | Buffer>(
  hmac,
  "AWS4wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
) as Buffer
const signingOf = (seed: string): ChunkSigning => ({
  key: KEY,
  scope: "20130524/us-east-1/s3/aws4_request",
  time: "20130524T000000Z",
  seed,
})

const A64 = "a".repeat(65_536)
const A1 = "a".repeat(1024)
/** The example of "Transferring Payload in Multiple Chunks" in the documentation of S3. */
const SIGNED = {
  headers: { "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "x-amz-decoded-content-length": "66560" },
  signing: signingOf("4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"),
  body: [
    `10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n${A64}\r\n`,
    `400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n${A1}\r\n`,
    "0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n",
  ].join(""),
}
/** The example of "Signature calculations for trailing headers" there. */
const TRAILED = {
  headers: {
    ...SIGNED.headers,
    "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    "x-amz-trailer": "x-amz-checksum-crc32c",
  },
  signing: signingOf("106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e"),
  body: [
    `10000;chunk-signature=b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2\r\n${A64}\r\n`,
    `400;chunk-signature=1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7\r\n${A1}\r\n`,
    "0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n",
    "x-amz-checksum-crc32c:sOO8/Q==\r\n",
    "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n",
  ].join(""),
}
const UNSIGNED = {
  headers: {
    "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    "x-amz-decoded-content-length": "9",
    "x-amz-trailer": "x-amz-checksum-crc32",
  },
  signing: undefined,
  body: "4\r\n1234\r\n5\r\n56789\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n",
}
const EXAMPLES = { SIGNED, TRAILED, UNSIGNED }

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly signing?: ChunkSigning | undefined
  readonly body: string
}

async function* pieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
}

async function read({ headers, signing, body }: Sent, size = 1000) {
  const opened = openBody(pieces(body, size), { headers, signing, begin })
  const text = Buffer.concat(await Array.fromAsync(opened.bytes)).toString()
  return { text, ...opened, checksums: opened.checksumHeaders() }
}

const refused = (s3: string) => expect.objectContaining({ context: expect.objectContaining({ s3 }) })

describe("a body in chunks", () => {
  it.each(Object.entries(EXAMPLES))("%s is read, however it arrives", async (_, example) => {
    const { text, size, checksums } = await read(example)
    expect(text).toBe(example === UNSIGNED ? "123456789" : A64 + A1)
    expect(size).toBe(text.length)
    expect(Object.values(checksums)).toEqual(
      example === TRAILED ? ["sOO8/Q=="] : example === UNSIGNED ? ["y/Q5Jg=="] : [],
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (width) => {
        expect((await read(example, width)).text).toBe(text)
      }),
      { numRuns: 10 },
    )
  })

  const changed = (example: Sent, from: string | RegExp, to: string) => ({
    ...example,
    body: example.body.replace(from, to),
  })
  it.each([
    ["a changed byte", "SignatureDoesNotMatch", changed(SIGNED, "\r\na", "\r\nb")],
    [
      "a changed last signature",
      "SignatureDoesNotMatch",
      changed(SIGNED, "0;chunk-signature=b", "0;chunk-signature=c"),
    ],
    ["a changed checksum", "SignatureDoesNotMatch", changed(TRAILED, "sOO8", "sOO9")],
    ["a changed byte behind no signature", "BadDigest", changed(UNSIGNED, "1234", "1235")],
    ["no signature of a chunk", "IncompleteBody", changed(SIGNED, /;chunk-signature=[0-9a-f]+/, "")],
    ["no last chunk", "IncompleteBody", changed(SIGNED, /0;chunk-signature=b6.*$/s, "")],
    ["its end within a chunk", "IncompleteBody", changed(SIGNED, /a{10}\r\n0;.*$/s, "")],
    ["its end within the last line", "IncompleteBody", changed(UNSIGNED, /g==.*$/s, "g=")],
    ["a chunk larger than all bytes", "IncompleteBody", changed(UNSIGNED, "5\r\n", "ffffffffff\r\n")],
    ["a chunk smaller than its bytes", "IncompleteBody", changed(UNSIGNED, "5\r\n", "4\r\n")],
    ["fewer bytes than announced", "IncompleteBody", changed(UNSIGNED, "5\r\n56789\r\n", "")],
    ["a negative size", "IncompleteBody", changed(UNSIGNED, "5\r\n", "-5\r\n")],
    ["a size of too many digits", "IncompleteBody", changed(UNSIGNED, "5\r\n", `${"0".repeat(20)}5\r\n`)],
    ["a line without an end", "IncompleteBody", { ...UNSIGNED, body: "0".repeat(100_000) }],
    ["a line with LF alone", "IncompleteBody", changed(UNSIGNED, "5\r\n", "5\n")],
    ["bytes behind its end", "IncompleteBody", changed(UNSIGNED, /$/, "GET / HTTP/1.1\r\n")],
    ["another header behind it", "MalformedTrailerError", changed(UNSIGNED, "crc32:", "crc32c:")],
    ["a header behind it twice", "MalformedTrailerError", changed(UNSIGNED, /(x-amz.*\r\n)\r\n/, "$1$1\r\n")],
    ["no header behind it", "MalformedTrailerError", changed(UNSIGNED, /x-amz.*\r\n/, "")],
    ["a checksum that is none", "InvalidDigest", changed(UNSIGNED, "y/Q5Jg==", "y/Q5")],
  ])("with %s is refused", async (_, code, sent) => {
    await expect(read(sent)).rejects.toEqual(refused(code))
    await expect(read(sent, 7)).rejects.toEqual(refused(code))
  })

  it.each([
    ["InvalidArgument", { "x-amz-decoded-content-length": "-1" }],
    ["InvalidArgument", { "x-amz-trailer": "" }],
    ["NotImplemented", { "x-amz-trailer": "x-amz-other" }],
    ["NotImplemented", { "x-amz-content-sha256": "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD" }],
    ["InvalidArgument", { "x-amz-content-sha256": "abc" }],
    ["InvalidArgument", { "x-amz-content-sha256": "UNSIGNED-PAYLOAD", "content-encoding": "aws-chunked" }],
  ])("is refused with %s before its first byte for %o", (code, headers) => {
    const never = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("read")) }) }
    const options = { headers: { ...UNSIGNED.headers, ...headers }, signing: undefined, begin }
    expect(() => openBody(never, options)).toThrow(refused(code))
  })
})

/** The check values of the catalogue of CRCs, for "123456789". */
const CHECKS = {
  "x-amz-checksum-crc32": "cbf43926",
  "x-amz-checksum-crc32c": "e3069283",
  "x-amz-checksum-crc64nvme": "ae8b14860a799888",
  "x-amz-checksum-sha1": createHash("sha1").update("123456789").digest("hex"),
  "content-md5": createHash("md5").update("123456789").digest("hex"),
}

describe("a plain body", () => {
  it.each(Object.entries(CHECKS))("is compared with %s", async (header, hex) => {
    const headers = { [header]: Buffer.from(hex, "hex").toString("base64"), "content-length": "9" }
    expect(await read({ headers, body: "123456789" })).toMatchObject({ text: "123456789", size: 9, isPlain: true })
    await expect(read({ headers, body: "123456780" })).rejects.toEqual(refused("BadDigest"))
    expect(() => openBody(pieces("", 1), { headers: { [header]: "no" }, signing: undefined, begin })).toThrow(
      refused("InvalidDigest"),
    )
  })

  it("has the SHA-256 that is signed or announced, which must agree", async () => {
    const hex = createHash("sha256").update("a").digest("hex")
    const base64 = Buffer.from(hex, "hex").toString("base64")
    const of = (headers: Readonly<Record<string, string>>) =>
      openBody(pieces("a", 1), { headers, signing: undefined, begin })
    expect(of({ "x-amz-content-sha256": hex, "x-amz-checksum-sha256": base64 }).sha256).toBe(hex)
    expect(of({ "x-amz-checksum-sha256": base64 }).sha256).toBe(hex)
    expect(of({ "x-amz-content-sha256": "UNSIGNED-PAYLOAD" }).sha256).toBeUndefined()
    const other = { "x-amz-content-sha256": "0".repeat(64), "x-amz-checksum-sha256": base64 }
    expect(() => of(other)).toThrow(refused("XAmzContentSHA256Mismatch"))
    expect(() => of({ "x-amz-checksum-md4": "x" })).toThrow(refused("NotImplemented"))
  })

  it("has the same checksum however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.integer({ min: 0, max: 100 }), async (bytes, cut) => {
        for (const algorithm of ["crc32", "crc32c", "crc64nvme"] as const) {
          const [whole, parts] = [begin(algorithm), begin(algorithm)]
          whole.update(bytes)
          parts.update(bytes.subarray(0, cut))
          parts.update(bytes.subarray(cut))
          expect(parts.digest()).toEqual(whole.digest())
        }
      }),
    )
  })
})
