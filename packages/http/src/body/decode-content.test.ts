import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { decodeContent, UndecodableContent } from "./decode-content.ts"
import { readLimited } from "./read-limited.ts"

const TEXT = '{"answer": "größer"}'.repeat(20)

/** Sends bytes in small pieces. */
async function* pieces(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.from((await readLimited(body, 1_000_000)).bytes).toString()
}

describe("decodeContent", () => {
  it.each([
    ["gzip", gzipSync(TEXT)],
    ["GZIP", gzipSync(TEXT)],
    ["x-gzip", gzipSync(TEXT)],
    ["deflate", deflateSync(TEXT)],
    ["deflate", deflateRawSync(TEXT)],
    ["br", brotliCompressSync(TEXT)],
    ["zstd", zstdCompressSync(TEXT)],
    ["gzip, br", brotliCompressSync(gzipSync(TEXT))],
    ["identity", Buffer.from(TEXT)],
    ["gzip", Buffer.from(TEXT)],
    ["", Buffer.from(TEXT)],
    [undefined, Buffer.from(TEXT)],
  ])("reads a body whose coding is %s", async (encoding, bytes) => {
    expect(await textOf(decodeContent(pieces(bytes), encoding))).toBe(TEXT)
  })

  it("stops unpacking if its reader stops", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const { bytes, isTruncated } = await readLimited(decodeContent(pieces(bomb, 1000), "gzip"), 100_000)
    expect([bytes.length, isTruncated]).toEqual([100_000, true])
  })

  it.each([
    ["compress", Buffer.from(TEXT), "is encoded with 'compress', which can't be decoded"],
    ["br", Buffer.from(TEXT), "is encoded with 'br', and can't be decoded"],
    ["gzip, gzip, gzip, gzip", Buffer.from(TEXT), "has more than 3 content codings"],
  ])("refuses a body whose coding is %s and does not fit", async (encoding, bytes, said) => {
    const reading = (async () => textOf(decodeContent(pieces(bytes), encoding)))()
    await expect(reading).rejects.toThrow(said)
    await expect(reading).rejects.toBeInstanceOf(UndecodableContent)
  })

  it("throws the error of a body that breaks off", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(gzipSync(TEXT).subarray(0, 20))
      throw new Error("the connection broke off")
    }
    await expect(textOf(decodeContent(broken(), "gzip"))).rejects.toThrow("the connection broke off")
  })
})
