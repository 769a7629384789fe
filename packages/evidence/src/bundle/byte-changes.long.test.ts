import * as fc from "fast-check"
import { expect, it } from "vitest"
import { bundleOf, byteChanges } from "../testing/bundle-of.ts"
import { rowOf, sideOf } from "../testing/side-of.ts"

it("a verdict bundle names each of 10,000 changed bytes", async () => {
  const rowsOf = (every: number) => Array.from({ length: 12 }, (_, row) => rowOf(row, row % every === 0))
  const sides = [await sideOf(rowsOf(4)), await sideOf(rowsOf(2), { role: "baseline", id: "eval-2" })]
  const found = await fc.check(byteChanges(await bundleOf(sides)), { numRuns: 10_000, seed: 7 })
  expect(found.errorInstance).toBeNull()
  expect(found).toMatchObject({ failed: false, numRuns: 10_000 })
}, 3_600_000)
