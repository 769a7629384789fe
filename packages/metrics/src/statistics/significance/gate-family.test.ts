import { expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { wilsonInterval } from "../intervals/rate-intervals.ts"
import { gateFamily, type GateOfFamily } from "./gate-family.ts"
import { gate } from "./gate.ts"

const rate = (ones: number, n: number, atLeast: number): GateOfFamily => ({
  mean: ones / n,
  interval: wilsonInterval(ones, n),
  n,
  limit: { atLeast },
})
/** A mean of 20 values with an interval of Student's t: 2.093 standard errors on each side. */
const mean = (mean: number, error: number, atLeast: number): GateOfFamily => ({
  mean,
  interval: {
    low: mean - 2.0930240544 * error,
    high: mean + 2.0930240544 * error,
    confidence: 0.95,
    method: "skew-adjusted-t",
  },
  n: 20,
  limit: { atLeast },
})

it("A single gate has the verdict of its interval", () => {
  for (const one of [rate(90, 100, 0.8), rate(90, 100, 0.88), rate(90, 100, 0.97), mean(3, 0.1, 2.7)]) {
    expect(gateFamily([one])).toEqual([gate(one.interval, one.limit)])
  }
  expect(gateFamily([{ ...rate(1, 2, 0.1), interval: null }])).toEqual(["INCONCLUSIVE"])
})

it("A gate that its own interval just decides is inconclusive among others that are not clear", () => {
  // z = (0.6 - 0.5) / 0.05 = 2, so p = 0.0455.
  const narrow = rate(60, 100, 0.5)
  expect(gate(narrow.interval, narrow.limit)).toBe("PASS")
  expect(gateFamily([narrow, rate(90, 100, 0.88)])).toEqual(["INCONCLUSIVE", "INCONCLUSIVE"])
  // Once the clear one is decided, the other has the whole 5 %.
  expect(gateFamily([narrow, rate(90, 100, 0.6)])).toEqual(["PASS", "PASS"])
})

it("The p-value of Student's t ends where the interval does", () => {
  // By integration of the density: beyond 2.0930240544 lie 5 % of 19 degrees of freedom, and beyond 2.4334402 lie 2.5 %.
  const other = rate(50, 100, 0.5)
  expect(gateFamily([mean(1, 0.1, 1 - 0.2434), other])[0]).toBe("PASS")
  expect(gateFamily([mean(1, 0.1, 1 - 0.2433), other])[0]).toBe("INCONCLUSIVE")
})

it("Of ten rates at their limits, any is decided wrongly in at most 5 % of 1,000 sets", () => {
  const random = createRandom(6)
  let [wrong, alone] = [0, 0]
  for (let at = 0; at < 1000; at++) {
    const gates = Array.from({ length: 10 }, () => {
      let ones = 0
      for (let row = 0; row < 300; row++) if (random() < 0.7) ones++
      return rate(ones, 300, 0.7)
    })
    if (gateFamily(gates).some((verdict) => verdict !== "INCONCLUSIVE")) wrong++
    if (gates.some((one) => gate(one.interval, one.limit) !== "INCONCLUSIVE")) alone++
  }
  expect(wrong / 1000).toBeLessThanOrEqual(0.055)
  expect(alone / 1000).toBeGreaterThan(0.3)
})
