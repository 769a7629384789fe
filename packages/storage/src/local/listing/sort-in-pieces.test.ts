import * as fc from "fast-check"
import { expect, it } from "vitest"
import { sortInPieces } from "./sort-in-pieces.ts"

it("sortInPieces returns the same order as a sort, also for more values than a piece, and lets others run", async () => {
  const compare = (a: readonly [number, number], b: readonly [number, number]) => a[0] - b[0]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 1, 4096, 4097, 20_000),
      fc.integer({ min: 1, max: 5000 }),
      async (length, kinds) => {
        const values = Array.from({ length }, (_, at) => [(at * 7919) % kinds, at] as const)
        let turns = 0
        const ticking = setInterval(() => turns++, 0)
        const sorted = await sortInPieces(values, compare)
        clearInterval(ticking)
        expect(sorted).toEqual(values.toSorted(compare))
        expect(turns).toBeGreaterThanOrEqual(length > 16_384 ? 1 : 0)
      },
    ),
    { numRuns: 8 },
  )
})
