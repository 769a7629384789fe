import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { codeOf } from "../testing/ask.ts"
import { inPieces, sampleBytes } from "../testing/sample-bytes.ts"
import { verifyDigest, type ExpectedDigest } from "./verify-digest.ts"

const BYTES = sampleBytes(2500)
const TARGET = { storage: "hub", location: "the test", operation: "read", path: "file" } as const

function sha256(bytes: Uint8Array): ExpectedDigest {
  return { algorithm: "sha256", hex: createHash("sha256").update(bytes).digest("hex") }
}

function verify(bytes: Uint8Array, expected: ExpectedDigest) {
  return verifyDigest(inPieces(bytes), { size: bytes.byteLength, expected, target: TARGET })
}

describe("verifyDigest", () => {
  it("yields the pieces of a file with the expected digest, also of an empty one", async () => {
    const pieces = await Array.fromAsync(verify(BYTES, sha256(BYTES)))
    expect(pieces.map(({ byteLength }) => byteLength)).toEqual([1000, 1000, 500])
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(BYTES))
    const empty = new Uint8Array()
    expect(await Array.fromAsync(verify(empty, sha256(empty)))).toEqual([])
  })

  it("verifies the digest that git gives a file", async () => {
    // git hash-object of a file with "hello" and a line end.
    const hex = "ce013625030ba8dba906f756967f9e9ca394464a"
    const pieces = await Array.fromAsync(verify(Buffer.from("hello\n"), { algorithm: "sha1", hex, before: "blob 6\0" }))
    expect(Buffer.concat(pieces).toString()).toBe("hello\n")
  })

  it("holds back the last piece if the digest differs, and closes the source", async () => {
    let ended = false
    async function* source() {
      try {
        yield* inPieces(BYTES)
      } finally {
        ended = true
      }
    }
    const options = { size: BYTES.byteLength, expected: sha256(sampleBytes(2500, 2)), target: TARGET }
    const pieces = verifyDigest(source(), options)
    expect((await pieces.next()).value).toHaveLength(1000)
    expect((await pieces.next()).value).toHaveLength(1000)
    expect(await codeOf(pieces.next())).toBe("upstream_failed")
    expect(ended).toBe(true)
    expect(await pieces.next()).toEqual({ done: true, value: undefined })
    expect(await codeOf(Array.fromAsync(verify(new Uint8Array(), options.expected)))).toBe("upstream_failed")
  })

  it("checks nothing if the reader stops early", async () => {
    for await (const piece of verify(BYTES, sha256(sampleBytes(3)))) {
      expect(piece).toHaveLength(1000)
      break
    }
  })
})
