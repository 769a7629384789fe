import * as fc from "fast-check"
import { expect, it } from "vitest"
import { joinGroups } from "./unpack-chunk.ts"
import { createXorbReader } from "./xorb-reader.ts"

const threeBytes = (number: number) => [number & 255, (number >> 8) & 255, number >> 16]
/** Returns a chunk that is stored as it is. */
const stored = (bytes: Uint8Array) =>
  Buffer.from([0, ...threeBytes(bytes.length), 0, ...threeBytes(bytes.length), ...bytes])
const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 20 })

function readIn(xorb: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const found: Uint8Array[] = []
  const reader = createXorbReader((bytes, packed) => {
    expect(packed).toBe(bytes.length + 8)
    found.push(Uint8Array.from(bytes))
  })
  const ends = [...new Set(cuts.map((cut) => cut % (xorb.length + 1)))].toSorted((a, b) => a - b)
  for (const [index, end] of [...ends, xorb.length].entries()) reader.push(xorb.subarray(ends[index - 1] ?? 0, end))
  reader.end()
  return found
}

it("A xorb has the same chunks in whatever pieces it arrives, with and without what follows them", () => {
  fc.assert(
    fc.property(chunks, fc.array(fc.nat()), fc.boolean(), (wanted, cuts, hasFooter) => {
      const footer = hasFooter ? [Buffer.from("XETBLOB\u0001and more")] : []
      expect(readIn(Buffer.concat([...wanted.map(stored), ...footer]), cuts)).toEqual(wanted)
    }),
  )
})

it("A xorb that is cut off or changed in a header is refused", () => {
  const xorb = Buffer.concat([stored(Buffer.from("one")), stored(Buffer.from("two"))])
  expect(() => readIn(xorb.subarray(0, -1), [])).toThrow("Chunk 1 is not whole")
  for (const [at, value] of [
    [0, 1],
    [4, 3],
    [4, 99],
    [5, 4],
    [7, 3],
    [3, 9],
  ] as const) {
    const changed = Buffer.from(xorb)
    changed[at] = value
    expect(() => readIn(changed, [])).toThrow("The xorb can't be read")
  }
})

it("A xorb has at most 8,192 chunks", () => {
  const one = stored(Buffer.from("x"))
  expect(readIn(Buffer.concat(Array<Buffer>(8192).fill(one)), [])).toHaveLength(8192)
  expect(() => readIn(Buffer.concat(Array<Buffer>(8193).fill(one)), [])).toThrow("more than 8192 chunks")
})

it("Bytes that were grouped by their position return to it", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const groups = [0, 1, 2, 3].flatMap((group) => [...bytes].filter((_, index) => index % 4 === group))
      expect(joinGroups(Uint8Array.from(groups))).toEqual(bytes)
    }),
  )
})
