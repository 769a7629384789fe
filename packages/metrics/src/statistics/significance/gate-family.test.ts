import { expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { wilsonInterval } from "../intervals/rate-intervals.ts"
import { gateFamily, type GateOfFamily } from "./gate-family.ts"
import { summarize } from "../summary/create-summary.ts"
import type { Stats } from "../summary/stats.ts"
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

/** Returns ten rates that are a little above their limits: one value for each of 100 groups, repeated `times` times. */
function clustered(times: number): readonly GateOfFamily[] {
  const shares = [0.77, 0.79, 0.83, 0.83, 0.84, 0.85, 0.81, 0.77, 0.79, 0.84]
  const limits = [0.677, 0.699, 0.744, 0.744, 0.755, 0.766, 0.721, 0.677, 0.699, 0.755]
  return shares.map((share, at) => {
    const rows = Array.from({ length: 100 * times }, (_, row) => row % 100)
    const values = rows.map((group) => Number(group < Math.round(100 * share)))
    return gateOf(summarize(values, times === 1 ? {} : { rows }), limits[at] ?? 0)
  })
}

function gateOf({ mean, interval, count, units, min, max }: Stats, atLeast: number): GateOfFamily {
  return { mean, interval, n: count, units, values: [min, max], limit: { atLeast } }
}

it("Rows that are copied ten times are tested like the rows once", () => {
  const once = clustered(1)
  expect(once.map((one) => gate(one.interval, one.limit))).toEqual(Array(10).fill("PASS"))
  expect(gateFamily(once)).toEqual(Array(10).fill("INCONCLUSIVE"))
  expect(gateFamily(clustered(10))).toEqual(Array(10).fill("INCONCLUSIVE"))
})

it.each([
  ["100 groups of ten rows that resemble each other", { groups: 100, share: 0.8, alike: 0.8 }],
  ["60 groups with few that are wrong", { groups: 60, share: 0.95, alike: 0.7 }],
  ["ten groups", { groups: 10, share: 0.8, alike: 0.8 }],
])("Of ten rates at their limits over %s, any is decided wrongly in at most 5 % of sets", (_, setting) => {
  const { groups, share, alike } = setting
  const random = createRandom(11)
  let wrong = 0
  for (let set = 0; set < 200; set++) {
    const gates = Array.from({ length: 10 }, () => {
      const rows = Array.from({ length: 10 * groups }, (_, row) => row % groups)
      const ofGroup = Array.from({ length: groups }, () => Number(random() < share))
      const values = rows.map((group) => (random() < alike ? (ofGroup[group] ?? 0) : Number(random() < share)))
      return gateOf(summarize(values, { rows }), share)
    })
    if (gateFamily(gates).some((verdict) => verdict !== "INCONCLUSIVE")) wrong++
  }
  // Three standard errors above 5 %.
  expect(wrong / 200).toBeLessThanOrEqual(0.096)
})

it("Of ten rates of 30 rows near 1, none is decided more often than promised, as by an approximation of the binomial tail", () => {
  const random = createRandom(12)
  let wrong = 0
  for (let set = 0; set < 1000; set++) {
    const gates = Array.from({ length: 10 }, () => {
      const ones = Array.from({ length: 30 }).filter(() => random() < 0.95).length
      return rate(ones, 30, 0.95)
    })
    if (gateFamily(gates).some((verdict) => verdict !== "INCONCLUSIVE")) wrong++
  }
  expect(wrong / 1000).toBeLessThanOrEqual(0.055)
})

it("A limit that each of 30 rows meets passes, also among others", () => {
  const equal = (value: number, count: number) => gateOf(summarize(Array<number>(count).fill(value)), value)
  expect(gateFamily([equal(0.8, 100)])).toEqual(["PASS"])
  expect(gateFamily([equal(0.7, 111), equal(0.1, 1000), equal(0.8, 100)])).toEqual(["PASS", "PASS", "PASS"])
  expect(gateFamily([equal(0.7, 30)])).toEqual(["PASS"])
  const mixed = [...Array<number>(99).fill(0.8), 0.81]
  expect(gateFamily([gateOf(summarize(mixed), 0.8)])).toEqual(["PASS"])
  expect(gateFamily([gateOf(summarize([...mixed, 0.79]), 0.8)])).toEqual(["INCONCLUSIVE"])
  const low = summarize(mixed.map((value) => 1 - value))
  expect(gateFamily([{ ...gateOf(low, 0), limit: { atMost: 1 - 0.8 } }])).toEqual(["PASS"])
  // No number of rows proves a rate of 1.
  expect(gateFamily([equal(1, 100)])).toEqual(["INCONCLUSIVE"])
})

it("Of ten means near the end of the scale that are at their limits, any is decided in at most 5 % of sets", () => {
  const random = createRandom(13)
  let wrong = 0
  for (let set = 0; set < 60; set++) {
    const gates = Array.from({ length: 10 }, () => {
      const values = Array.from({ length: 30 }, () => (random() < 0.9 ? 0.95 + 0.05 * random() : random()))
      return gateOf(summarize(values), 0.9275)
    })
    if (gateFamily(gates).some((verdict) => verdict !== "INCONCLUSIVE")) wrong++
  }
  expect(wrong).toBeLessThanOrEqual(6)
})

it("Of ten rates at their limits, any is decided wrongly in at most 5 % of 1,000 sets", () => {
  const random = createRandom(6)
  let wrong = 0
  let alone = 0
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
