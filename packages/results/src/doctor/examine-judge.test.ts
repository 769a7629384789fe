import type { LabelReport, LabelRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { digestNumber } from "../rows/output-digest.ts"
import { judgedComparisons, type JudgedScore, selfPreferences } from "./compare-judged.ts"
import { examineJudge, type JudgeToExamine } from "./examine-judge.ts"
import { modelFamily } from "./model-family.ts"
import type { Verdict } from "./read-verdicts.ts"

const SCORE = "judge.good"
const digestOf = (row: number) => row.toString(16).padStart(12, "0").padEnd(64, "0")
const verdictOf = (row: number, value: number, more: Partial<Verdict> = {}): Verdict => ({
  digest: digestNumber(digestOf(row)),
  value,
  length: 10 * row,
  first: Number.NaN,
  ...more,
})
const labelOf = (row: number, label: number | null, author = "ann"): LabelRow => ({
  digest: digestOf(row),
  metric: SCORE,
  label,
  author,
  created_at: "2026-11-30T00:00:00Z",
  probability: 1,
  draw: null,
  job: "eval-1",
  task: "qa",
  row_index: row,
  repeat: 0,
})
const estimate = (mean: number, low: number, high: number) => ({
  mean,
  interval: { low, high, confidence: 0.95, method: "skew-adjusted-t" },
})
type Correction = NonNullable<JudgeToExamine["correction"]>
const correction = (judge: number, corrected: LabelReport["corrected"], labels = 40): Correction => ({
  judge: { mean: judge, interval: null },
  corrected,
  labels,
  picked: 0,
  labels_missing: 0,
})
const rows = Array.from({ length: 40 }, (_, row) => row)
const good = (row: number) => Number(row % 4 > 0)
const examine = (more: Partial<JudgeToExamine> = {}) =>
  examineJudge({
    score: SCORE,
    model: "judge",
    verdicts: { verdicts: rows.map((row) => verdictOf(row, good(row))), basis: null },
    labels: rows.map((row) => labelOf(row, good(row))),
    correction: correction(0.75, estimate(0.75, 0.72, 0.77)),
    isNominal: true,
    scale: { low: 0, high: 1 },
    ...more,
  })

describe("the report about a judge", () => {
  it(
    "concludes by the corrected mean: fit, corrected, or not yet with the labels to add",
    verifies("eval.doctor.judges"),
    () => {
      expect(examine()).toMatchObject({
        agreement: { rows: 40, same: 40, kappa: 1, alpha: 1 },
        conclusion: "fit",
        labels_next: 0,
        message: expect.stringMatching(
          /^Fit to gate: the judge finds 0\.75, .* beyond chance \(alpha 1, at least 0\.[6-9]/,
        ),
      })
      const corrected = examine({ correction: correction(0.75, estimate(0.6, 0.55, 0.66)) })
      expect(corrected).toMatchObject({
        difference: { mean: expect.closeTo(0.15), interval: { low: expect.closeTo(0.09), high: expect.closeTo(0.2) } },
        conclusion: "corrected",
        message: expect.stringContaining("Its mean is too high by about 15 points, and at least by 9 points."),
      })
      const open = examine({ correction: correction(0.75, estimate(0.6, 0.4, 0.8)) })
      expect(open).toMatchObject({
        conclusion: "not_yet",
        message: expect.stringContaining("more would give ±10 points"),
      })
      expect(open.labels_next).toBeGreaterThanOrEqual(1)
      const none = examine({ labels: [], correction: undefined })
      expect(none).toMatchObject({ agreement: null, difference: null, conclusion: "not_yet", labels_next: 30 })
      const picked = examine({ correction: { ...correction(0.75, null, 0), picked: 12, labels_missing: 10 } })
      expect(picked.message).toContain("12 rows with a label were picked by somebody")
    },
  )

  it("counts what most people say, and how far people agree", verifies("eval.doctor.judges"), () => {
    const labels = [
      ...rows.map((row) => labelOf(row, good(row))),
      ...rows.slice(0, 20).map((row) => labelOf(row, row < 4 ? 1 - good(row) : good(row), "bob")),
      labelOf(39, null, "cid"),
    ]
    // Four rows have as many labels for as against, so that nobody's word counts.
    expect(examine({ labels })).toMatchObject({
      agreement: { rows: 36, same: 36 },
      people: { rows: 20, same: 16, authors: 2 },
    })
  })

  it(
    "measures flips by the same outputs, lengths with and without labels, and positions in both orders",
    verifies("eval.doctor.judges"),
    () => {
      const again = rows.slice(0, 10).map((row) => verdictOf(row, row < 3 ? 1 - good(row) : good(row)))
      expect(examine({ repeats: [again] }).flips).toMatchObject({ rows: 10, flipped: 3, flip_rate: 0.3 })
      expect(examine().flips).toBeNull()
      const long = examine({
        verdicts: { verdicts: rows.map((row) => verdictOf(row, Number(row > 20))), basis: null },
        labels: rows.map((row) => labelOf(row, row % 2)),
      })
      expect(long.length?.correlation).toBeCloseTo(0.866, 2)
      expect(long.length?.given_labels?.interval?.low).toBeGreaterThan(0)
      expect(long.message).toContain("It prefers long answers beyond what labels explain.")
      const firsts = rows.map((row) => verdictOf(row, 0.5, { first: row < 12 ? 1 : row < 14 ? 0 : 0.5 }))
      const biased = examine({ verdicts: { verdicts: firsts, basis: "both_orders" } })
      expect(biased.position).toMatchObject({ rows: 40, first: 12, second: 2, share: 12 / 14 })
      expect(biased.message).toContain("It prefers the answer that is shown first: ask in both orders.")
    },
  )
})

const judged = (job: string, target: string, difference: number, corrected: LabelReport["corrected"]): JudgedScore => {
  const { mean = 0 } = corrected ?? {}
  const judge = examine({ model: "openai/gpt-5", correction: correction(mean + difference, corrected) })
  return { job, target, name: "qa.judge.good", ...estimate(mean + difference, 0, 0), judge, corrected }
}

it(
  "A judge's preference for its own family is the difference of its errors, and labels can change a comparison",
  verifies("eval.doctor.judges"),
  () => {
    const jobs = [
      judged("./a", "gpt-5-mini", 0.2, estimate(0.5, 0.45, 0.55)),
      judged("./b", "claude-x", 0, estimate(0.6, 0.55, 0.65)),
      judged("./c", "qwen3", 0.04, estimate(0.6, 0.55, 0.65)),
    ]
    const [found] = selfPreferences(jobs)
    expect(found).toMatchObject({ family: "gpt", own: ["gpt-5-mini"], others: ["claude-x", "qwen3"] })
    expect(found?.difference).toBeCloseTo(0.18)
    expect(found?.interval?.low).toBeCloseTo(0.18 - Math.hypot(0.05, Math.hypot(0.05, 0.05) / 2))
    expect(selfPreferences(jobs.slice(1))).toEqual([])
    expect(judgedComparisons(jobs.slice(0, 2))).toMatchObject([
      { jobs: ["./a", "./b"], corrected: { verdict: "higher" } },
    ])
    expect(
      ["o3-mini", "us.anthropic.claude-3", "meta/Llama-4", "phi-4", "Mixtral-8x7B", "4-x"].map(modelFamily),
    ).toEqual(["gpt", "claude", "llama", "phi", "mistral", "4-x"])
  },
)
