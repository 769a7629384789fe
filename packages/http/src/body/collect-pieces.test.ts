import * as fc from "fast-check"
import { expect, it } from "vitest"
import { collectPieces } from "./collect-pieces.ts"

it("collectPieces joins pieces of any sizes in their order", () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 8000, max: 20_000 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(sizes, (lengths) => {
      const pieces = lengths.map((length, index) => Buffer.alloc(length, index))
      const collected = collectPieces()
      for (const piece of pieces) collected.add(piece)
      expect(collected.length).toBe(Buffer.concat(pieces).length)
      expect(Buffer.concat(pieces).equals(collected.join())).toBe(true)
    }),
  )
})

it("collectPieces does not keep one object for each of a million pieces of one byte", () => {
  const collected = collectPieces()
  const piece = Buffer.from("x")
  const before = process.memoryUsage()
  for (let count = 0; count < 1_000_000; count++) collected.add(piece.subarray(0, 1))
  const { heapUsed, external } = process.memoryUsage()
  const kept = collected.join()
  expect(kept.length).toBe(1_000_000)
  // A view of a buffer takes about a hundred bytes, which would be a hundred megabytes.
  expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(60_000_000)
})
