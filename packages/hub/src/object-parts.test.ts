import * as fc from "fast-check"
import { expect, it } from "vitest"
import { countParts, partBytes, partOf } from "./object-parts.ts"

it("The parts of an object cover each of its bytes once, and there are at most 10,000", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e13 }), (size) => {
      const count = countParts(size)
      expect(count).toBeLessThanOrEqual(10_000)
      expect([partOf(size, 0), partOf(size, count + 1)]).toEqual([undefined, undefined])
      expect(partOf(size, 1)?.start).toBe(0)
      expect(partOf(size, count)?.end).toBe(size - 1)
      if (count > 1) expect(partOf(size, count)?.start).toBe(Number(partOf(size, count - 1)?.end) + 1)
      expect(partBytes(size)).toBeGreaterThanOrEqual(16_777_216)
    }),
  )
})
