import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../create-random.ts"
import { wilsonInterval } from "../intervals/rate-intervals.ts"
import type { GateVerdict } from "../significance/gate.ts"
import { createConfidenceSequence } from "./confidence-sequence.ts"
import { createSequentialGate, type SequentialGateOptions } from "./sequential-gate.ts"

/** Returns a set of `size` values of 0 or 1 with this mean, in random order. */
function drawSet(size: number, mean: number, random: Random): readonly number[] {
  const values = Array.from({ length: size }, (_, at): number => (at < Math.round(size * mean) ? 1 : 0))
  for (let at = size - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[values[at], values[other]] = [values[other] ?? 0, values[at] ?? 0]
  }
  return values
}

function run(values: readonly (number | undefined)[], options: Omit<SequentialGateOptions, "population">) {
  const gate = createSequentialGate({ population: values.length, ...options })
  for (const value of values) {
    gate.add(value)
    if (gate.decidedAfter !== null) break
  }
  return gate
}

describe("a gate that is looked at after each row", () => {
  it("is wrong in at most 5 % of 10,000 sets whose mean is the limit", verifies("gates.error"), () => {
    const random = createRandom(1)
    let wrong = 0
    for (let at = 0; at < 10_000; at++) {
      const [mean, limit] = at % 2 === 0 ? [0.8, { atLeast: 0.8 }] : [0.2, { atMost: 0.2 }]
      if (run(drawSet(100, mean, random), { limit }).verdict === "FAIL") wrong++
    }
    expect(wrong / 10_000).toBeLessThanOrEqual(0.05)
    // A test that never decides would pass as well.
    expect(wrong).toBeGreaterThan(20)
  })

  it("is about all rows like these without a population, and the last row does not decide it", () => {
    const values = drawSet(100, 0.85, createRandom(5))
    const gate = (population?: number) => {
      const found = createSequentialGate({
        limit: { atLeast: 0.8 },
        ...(population === undefined ? {} : { population }),
      })
      for (const value of values) found.add(value)
      return found
    }
    expect([gate(100).verdict, gate().verdict]).toEqual(["PASS", "INCONCLUSIVE"])
    gate().narrow()
    expect(gate().interval().low).toBeLessThan(0.8)
    const clear = createSequentialGate({ limit: { atLeast: 0.8 } })
    for (let at = 0; at < 100; at++) clear.add(1)
    expect(clear.verdict).toBe("PASS")
  })

  it("is not wrong more often if many rows have no value", verifies("gates.error"), () => {
    const random = createRandom(2)
    let wrong = 0
    for (let at = 0; at < 1000; at++) {
      const scored = drawSet(100, 0.8, random)
      let next = 0
      const values = drawSet(200, 0.5, random).map((has) => (has === 1 ? scored[next++] : undefined))
      if (run(values, { limit: { atLeast: 0.8 } }).verdict === "FAIL") wrong++
    }
    expect(wrong / 1000).toBeLessThanOrEqual(0.05)
  })

  it.each([
    [0.8, 0.9],
    [0.5, 0.6],
    [0.9, 0.8],
  ])(
    "decides a limit of %d with a median of at most 200 of 5,000 rows if the mean is %d",
    verifies("gates.savings"),
    (limit, mean) => {
      const random = createRandom(3)
      const expected: GateVerdict = mean > limit ? "PASS" : "FAIL"
      const gates = Array.from({ length: 51 }, () => run(drawSet(5000, mean, random), { limit: { atLeast: limit } }))
      const stops = gates.map(({ decidedAfter }) => decidedAfter ?? Infinity).toSorted((a, b) => a - b)
      expect(stops[25]).toBeLessThanOrEqual(200)
      expect(gates.filter(({ verdict }) => verdict === expected).length).toBeGreaterThanOrEqual(49)
    },
  )

  it("says in its interval what it decided", () => {
    const gate = run([1, ...drawSet(999, 0.9, createRandom(4))], { limit: { atLeast: 0.8 } })
    expect(gate.verdict).toBe("PASS")
    expect(gate.interval().low).toBeGreaterThanOrEqual(0.8)
    gate.narrow()
    expect(gate.interval().high).toBeGreaterThanOrEqual(gate.mean())
    const failed = run(drawSet(1000, 0.3, createRandom(4)), { limit: { atMost: 0.2 } })
    expect([failed.verdict, failed.interval().low >= 0.2]).toEqual(["FAIL", true])
  })

  it(
    "compares exactly when all rows are known, also by values that rounding can't distinguish",
    verifies("gates.exact"),
    () => {
      const tenths = [0.1, 0.2, 0.3]
      expect(run(tenths, { limit: { atLeast: 0.2 } }).verdict).toBe("PASS")
      expect(run(tenths, { limit: { atMost: 0.2 } }).verdict).toBe("PASS")
      expect(run(tenths, { limit: { atLeast: 0.2001 } }).verdict).toBe("FAIL")
      expect(run([undefined, undefined], { limit: { atLeast: 0.5 } }).verdict).toBe("INCONCLUSIVE")
      expect(run([5, 1, 3], { limit: { atLeast: 3 }, range: [1, 5] }).verdict).toBe("PASS")
    },
  )

  it("refuses a limit outside the range", () => {
    expect(() => createSequentialGate({ population: 9, limit: { atLeast: 4 } })).toThrow("'4' is not possible")
  })
})

it(
  "After half of 5,000 rows the interval is at most 1.7 times as wide as one for a single look",
  verifies("gates.width"),
  () => {
    const random = createRandom(5)
    for (const mean of [0.5, 0.7, 0.9]) {
      const sequence = createConfidenceSequence({ population: 5000 })
      for (const value of drawSet(5000, mean, random).slice(0, 2500)) sequence.add(value)
      sequence.narrow()
      const { low, high } = sequence.interval()
      const single = wilsonInterval(Math.round(sequence.mean() * 2500), 2500)
      const width = (single.high - single.low) * Math.sqrt((5000 - 2500) / (5000 - 1))
      expect((high - low) / width).toBeLessThanOrEqual(1.7)
    }
  },
)
