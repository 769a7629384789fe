import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { createRandom, type Random } from "../create-random.ts"
import { type DrawnDifference, drawLikelihood, sequentialDifference } from "./difference-sequence.ts"

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
type Known = DrawnDifference & { readonly difference: number }

function totalsOf(rows: readonly DrawnDifference[], span: number) {
  return {
    shares: sumOf(rows.map(({ share }) => share)),
    predicted: sumOf(rows.map(({ share, predicted }) => share * predicted)),
    likelihoods: sumOf(rows.map(({ share, predicted }) => share * drawLikelihood(predicted, span))),
    rows: rows.length,
  }
}

const truthOf = (rows: readonly Known[]) => sumOf(rows.map(({ share, difference }) => share * difference))

function inOrder<Row extends DrawnDifference>(rows: readonly Row[], random: Random, span = 1): readonly Row[] {
  const keyed = rows.map((row) => {
    return { row, key: -Math.log(1 - random()) / (row.share * drawLikelihood(row.predicted, span)) }
  })
  return keyed.toSorted((a, b) => a.key - b.key).map(({ row }) => row)
}

/** Rows of two models, of which one is right more often, and a judge that is right in a share of the cases. */
function rowsOf(count: number, rates: readonly [number, number], accuracy: number, random: Random): readonly Known[] {
  return Array.from({ length: count }, () => {
    const one = random()
    const people = rates.map((rate) => Number((random() < 0.6 ? one : random()) < rate))
    const judged = people.map((value) => (random() < accuracy ? value : 1 - value))
    const between = ([a = 0, b = 0]: readonly number[]) => b - a
    return { difference: between(people), predicted: between(judged), share: 1 / count }
  })
}

describe("sequentialDifference", () => {
  it("is unbiased over all draws", verifies("corrected.sequential"), () => {
    const span = 40
    const rows: readonly Known[] = [
      { difference: 1, predicted: 1, share: 0.2 },
      { difference: -1, predicted: 2, share: 0.3 },
      { difference: 0, predicted: -1, share: 0.1 },
      { difference: 2, predicted: 0, share: 0.4 },
    ]
    const totals = totalsOf(rows, span)
    const found = rows.map((row) => {
      const likelihood = (row.share * drawLikelihood(row.predicted, span)) / totals.likelihoods
      return likelihood * (sequentialDifference([row], { totals, span, margin: 0 }).difference ?? 0)
    })
    expectClose(sumOf(found), truthOf(rows), 1e-12)
  })

  it("is exact when all rows have labels, for lower and for higher values", verifies("corrected.sequential"), () => {
    const random = createRandom(4)
    const rows = inOrder(rowsOf(40, [0.8, 0.6], 0.9, random), random)
    const options = { totals: totalsOf(rows, 1), span: 1, margin: 0.1 }
    const truth = truthOf(rows)
    const up = sequentialDifference(rows, options)
    for (const end of [up.interval.low, up.interval.high, up.difference ?? 0]) expectClose(end, truth, 1e-6)
    expect(up.verdict).toBe(truth < -0.1 ? "FAIL" : "PASS")
    const down = sequentialDifference(rows, { ...options, higherIsBetter: false })
    expectClose(down.interval.low, truth, 1e-6)
    expect(down.verdict).toBe("PASS")
  })

  it(
    "is wrong in at most 2.5 % of the draws however long it is looked at, on the border itself",
    verifies("corrected.sequential"),
    () => {
      const random = createRandom(11)
      const simulations = 400
      const wrong = { PASS: 0, FAIL: 0, INCONCLUSIVE: 0 }
      for (let at = 0; at < simulations; at++) {
        const rows = inOrder(rowsOf(80, [0.8, 0.7], 0.85, random), random)
        const totals = totalsOf(rows, 1)
        const truth = truthOf(rows)
        // The border lies just above the truth, and then just below it. The last row would decide.
        const drawn = rows.slice(0, 70)
        if (truth >= 0) continue
        wrong[sequentialDifference(drawn, { totals, span: 1, margin: Math.max(0, -truth - 1e-9) }).verdict]++
      }
      expect(wrong.PASS / simulations).toBeLessThanOrEqual(0.025 + 3 * Math.sqrt((0.025 * 0.975) / simulations))
      expect(wrong.INCONCLUSIVE).toBeGreaterThan(simulations / 2)
    },
  )

  it("ends earlier with a good judge", () => {
    const random = createRandom(6)
    const medianOf = (accuracy: number) => {
      const counts = Array.from({ length: 40 }, () => {
        const rows = inOrder(rowsOf(400, [0.8, 0.6], accuracy, random), random)
        return sequentialDifference(rows, { totals: totalsOf(rows, 1), span: 1, margin: 0.1 }).decidedAfter ?? 400
      })
      return counts.toSorted((a, b) => a - b)[20] ?? 0
    }
    expect(medianOf(0.97)).toBeLessThan(0.6 * medianOf(0.5))
  })

  it("takes a row about which people are unsure for the worst", () => {
    const rows: readonly Known[] = Array.from({ length: 30 }, () => ({ difference: 0, predicted: 0, share: 1 / 30 }))
    const options = { totals: totalsOf(rows, 1), span: 1, margin: 0.05 }
    const unsure = rows.map((row, at) => (at < 3 ? { ...row, difference: undefined } : row))
    expect(sequentialDifference(rows, options).verdict).toBe("PASS")
    const found = sequentialDifference(unsure, options)
    expect(found).toMatchObject({ verdict: "INCONCLUSIVE", decidedAfter: null })
    expectClose(found.interval.low, -0.1, 1e-6)
    expectClose(found.interval.high, 0.1, 1e-6)
  })

  it("has the whole range without labels, and refuses more rows than there are", () => {
    const totals = { shares: 1, predicted: 0, likelihoods: 1, rows: 1 }
    expect(sequentialDifference([], { totals, span: 1, margin: 0 })).toMatchObject({
      difference: null,
      verdict: "INCONCLUSIVE",
      interval: { low: -1, high: 1, confidence: 0.95, method: "betting" },
    })
    const row = { difference: 0, predicted: 0, share: 1 }
    expect(() => sequentialDifference([row, row], { totals, span: 1, margin: 0 })).toThrow(/drawn/)
  })
})
