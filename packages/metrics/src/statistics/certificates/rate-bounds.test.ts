import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { clopperPearsonInterval } from "../intervals/rate-intervals.ts"
import { pRateAboveLimit, pRateWithinLimit, rateUpperBound } from "./rate-bounds.ts"

// Probabilities: sums of binomial terms with 40 digits in mpmath 1.3. Bounds: beta.ppf of SciPy 1.17.1.
const CASES = [
  [0, 50, 0.05, 0.07694497527671332, 1, 0.05815507911697225],
  [1, 93, 0.05, 0.04997579524261653, 0.9915219633070561, 0.049993978387988317],
  [2, 125, 0.05, 0.047703837020378746, 0.9875531472355756, 0.04950783729137365],
  [4, 125, 0.05, 0.24591450058674708, 0.8762153022167728, 0.07172873759767937],
  [17, 20, 0.9, 0.3230731948105338, 0.8670466765656659, 0.9578305921142214],
  [0, 1_000_000, 0.00001, 4.539765980761299e-5, 1, 2.9957277863525433e-6],
  [100, 1_000_000, 0.0002, 3.704888008803005e-15, 0.9999999999999981, 0.0001180782053691365],
  [49_000, 1_000_000, 0.05, 2.11318241479022e-6, 0.9999979331659384, 0.04935653728473617],
  [49_500, 1_000_000, 0.05, 0.01087217658964502, 0.9892590806159941, 0.04985824936013533],
  [50_500, 1_000_000, 0.05, 0.9890910762719394, 0.011041122391131327, 0.050861643433749534],
] as const

describe.each(CASES)("%d faults in %d rows, with a limit of %d", (count, n, limit, above, within, bound) => {
  it(
    "have p-values and a bound that agree with the references to ten digits, also in the tails",
    verifies("certify.exact"),
    () => {
      expectClose(pRateAboveLimit({ count, n }, limit), above, above * 1e-10)
      expectClose(pRateWithinLimit({ count, n }, limit), within, within * 1e-10)
      expectClose(rateUpperBound({ count, n }), bound, bound * 1e-9)
    },
  )
})

describe("rateUpperBound", () => {
  const counts = fc
    .integer({ min: 1, max: 3000 })
    .chain((n) => fc.record({ count: fc.nat({ max: n }), n: fc.constant(n) }))
  const share = fc.double({ min: 0.001, max: 0.5, noNaN: true })

  it("is the limit at which the p-value is alpha", () => {
    fc.assert(
      fc.property(counts, share, (risk, alpha) => {
        fc.pre(risk.count < risk.n)
        expectClose(pRateAboveLimit(risk, rateUpperBound(risk, alpha)), alpha, 1e-7)
      }),
    )
  })

  it("at half the alpha is the upper end of a two-sided Clopper-Pearson interval", () => {
    fc.assert(
      fc.property(counts, share, ({ count, n }, alpha) => {
        const { high } = clopperPearsonInterval(count, n, { confidence: 1 - alpha })
        expectClose(rateUpperBound({ count, n }, alpha / 2), high, 1e-9)
      }),
    )
  })
})

it("Without rows, nothing is known about a rate", () => {
  const none = { count: 0, n: 0 }
  expect([pRateAboveLimit(none, 0.05), pRateWithinLimit(none, 0.05), rateUpperBound(none)]).toEqual([1, 1, 1])
})

it.each([
  [3, 2, 0.05, "'3' is not possible; give a whole number from 0 to n, which is 2"],
  [-1, 2, 0.05, "'-1' is not possible"],
  [0.5, 2, 0.05, "'0.5' is not possible"],
  [0, 2.5, 0.05, "'2.5' is not possible; give a whole number of rows"],
  [0, Infinity, 0.05, "'Infinity' is not possible"],
  [0, 2, 5, "limit: '5' is not possible"],
])("%d faults in %d rows with a limit of %d are refused", (count, n, limit, message) => {
  expect(() => pRateAboveLimit({ count, n }, limit)).toThrow(message)
  expect(() => pRateWithinLimit({ count, n }, limit)).toThrow(message)
})
