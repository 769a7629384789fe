import * as fc from "fast-check"
import { expect, it } from "vitest"
import { selectRange } from "./select-range.ts"

it("selectRange puts the same numbers at a range as a sort of all numbers", () => {
  const values = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 2000, size: "max" })
  fc.assert(
    fc.property(values, fc.nat(), fc.nat(), (weights, one, two) => {
      const entries = Uint32Array.from(weights, (_, entry) => entry)
      const compare = (a: number, b: number) => (weights[a] ?? 0) - (weights[b] ?? 0) || a - b
      const sorted = entries.toSorted(compare)
      const [from, to] = [one % (weights.length + 1), two % (weights.length + 1)].toSorted((a, b) => a - b)
      selectRange(entries, { from: from ?? 0, to: to ?? 0, compare })
      expect(entries.subarray(from, to)).toEqual(sorted.subarray(from, to))
      expect(entries.toSorted()).toEqual(sorted.toSorted())
    }),
    { numRuns: 200 },
  )
})
