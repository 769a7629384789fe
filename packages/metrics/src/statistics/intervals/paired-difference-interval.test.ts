import { expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { pairedDifferenceInterval } from "./paired-difference-interval.ts"

it("has Clopper and Pearson's limits if no row differs, however few the errors are", () => {
  const interval = pairedDifferenceInterval({ both: 30, onlyA: 0, onlyB: 0, neither: 20 })
  const limit = 1 - 0.025 ** (1 / 50)
  expectClose(interval?.low, -limit, 1e-9)
  expectClose(interval?.high, limit, 1e-9)
})

it("adds the reaches of few rows", () => {
  // The limits are those of SciPy's beta distribution: of 4 in 8 they are 0.15701 and 0.84299, and of 0 in 8 0 and 0.36942.
  const interval = pairedDifferenceInterval({ both: 4, onlyA: 4, onlyB: 0, neither: 0 })
  expectClose(interval?.low, -0.84299, 1e-5)
  expectClose(interval?.high, -0.5 + 0.36942 + (0.5 - 0.15701), 1e-5)
})

it("changes its sign if the two are swapped, and does not depend on the rows that do not differ", () => {
  const there = pairedDifferenceInterval({ both: 70, onlyA: 20, onlyB: 5, neither: 5 })
  const back = pairedDifferenceInterval({ both: 5, onlyA: 5, onlyB: 20, neither: 70 })
  expectClose(back?.low, -(there?.high ?? 0), 1e-12)
  expectClose(back?.high, -(there?.low ?? 0), 1e-12)
})

it("is null without rows", () => {
  expect(pairedDifferenceInterval({ both: 0, onlyA: 0, onlyB: 0, neither: 0 })).toBeNull()
})
