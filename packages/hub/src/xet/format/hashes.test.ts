import { fileHash, getChunks, hashToHex, verificationHash, xorbHash } from "@huggingface/xetchunk-wasm"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { createMerkleTree } from "./merkle-tree.ts"
import { formatXetHash, parseXetHash } from "./xet-hash.ts"
import { createXetHashes } from "./xet-hashes.ts"

const hashes = await createXetHashes()
const chunk = fc.record({
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  length: fc.integer({ min: 1, max: 131_072 }),
})

it("Chunks have the hashes that clients give them", () => {
  const bytes = Buffer.alloc(400_000, "some text that repeats itself; ")
  bytes.writeUInt32LE(7, 200_000)
  let start = 0
  for (const { hash, length } of getChunks(bytes)) {
    expect(formatXetHash(hashes.chunk(bytes.subarray(start, start + length)))).toBe(hashToHex(hash))
    start += length
  }
  expect(start).toBe(bytes.length)
})

it("Xorbs, files and ranges of chunks have the hashes that clients compute, for any number of chunks", () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 200, size: "max" }), (chunks) => {
      const tree = createMerkleTree(hashes)
      for (const { hash, length } of chunks) tree.add({ hash, size: length })
      const root = tree.root()
      expect(formatXetHash(root)).toBe(hashToHex(xorbHash(chunks)))
      if (chunks.length > 0) expect(formatXetHash(hashes.file(root))).toBe(hashToHex(fileHash(chunks)))
      const names = chunks.map(({ hash }) => hash)
      expect(formatXetHash(hashes.range(Buffer.concat(names)))).toBe(hashToHex(verificationHash(names)))
    }),
  )
})

it("The text of a hash names the same bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
      expect(Uint8Array.from(parseXetHash(formatXetHash(hash)))).toEqual(hash)
    }),
  )
})
