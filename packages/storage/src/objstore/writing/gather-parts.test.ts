import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sampleBytes } from "../../testing/sample-bytes.ts"
import { gatherParts, parallelParts, partSize } from "./gather-parts.ts"

const PART = 8 * 1024 * 1024
const CONTENT = Buffer.from(sampleBytes(2 * PART + 12_345))

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (let turn = 0; at < bytes.byteLength; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

describe("gathering parts", () => {
  it("keeps every byte in its position, however the source cuts them", async () => {
    const lengths = fc.constantFrom(
      0,
      1,
      65_535,
      65_536,
      65_537,
      PART - 1,
      PART,
      PART + 1,
      2 * PART,
      CONTENT.byteLength,
    )
    const sizes = fc.array(fc.integer({ min: 30_000, max: 20_000_000 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(lengths, sizes, async (length, cuts) => {
        const bytes = CONTENT.subarray(0, length)
        let counted = 0
        let at = 0
        let number = 0
        for await (const part of gatherParts(cut(bytes, cuts), (piece) => (counted += piece.byteLength))) {
          expect(part.number).toBe(++number)
          expect(part.bytes.equals(bytes.subarray(at, at + PART))).toBe(true)
          at += part.bytes.byteLength
          expect(part.isLast).toBe(at === length)
          part.release()
        }
        expect([counted, at]).toEqual([length, length])
      }),
      { numRuns: 30 },
    )
  })

  it("needs little memory for small files, and reuses released memory", async () => {
    const small = await Array.fromAsync(gatherParts(cut(CONTENT.subarray(0, 1000), [100]), () => {}))
    expect(small.map(({ bytes }) => bytes.buffer.byteLength)).toEqual([65_536])
    const memory = new Set<ArrayBufferLike>()
    for await (const { bytes, release } of gatherParts(cut(Buffer.concat([CONTENT, CONTENT]), [65_536]), () => {})) {
      memory.add(bytes.buffer)
      release()
    }
    expect(memory.size).toBe(1)
  })
})

const MIB = 1024 * 1024
const GIB = 1024 * MIB

describe("the size of parts", () => {
  it("allows 5 TiB in 10,000 parts, none larger than 5 GiB", () => {
    let offset = 0
    for (let part = 1; part <= 10_000; part++) offset += partSize(offset)
    expect(offset).toBeGreaterThan(5 * 1024 * GIB)
    expect(partSize(5 * 1024 * GIB)).toBeLessThan(5 * GIB)
  })

  it("is equal for all parts of a file of up to 10 GiB, and limits the bytes in flight", () => {
    expect([partSize(0), partSize(10 * GIB)]).toEqual([8 * MIB, 8 * MIB])
    for (let offset = 0; offset < 40 * GIB; offset += GIB) {
      expect(parallelParts(partSize(offset)) * partSize(offset)).toBeLessThanOrEqual(64 * MIB)
    }
    expect(parallelParts(partSize(1024 * GIB))).toBe(1)
  })
})
