import { verifies } from "@assay/testkit"
import { readCalibrationReport } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { measure, numberedPrompts } from "../../testing/measure.ts"
import { scriptedCandidate, type ScriptedAnswer } from "../../testing/scripted-candidate.ts"
import { formatReportHtml } from "../output/html/format-report-html.ts"
import { formatReportText } from "../output/format-report-text.ts"
import { reportCalibration } from "./report-calibration.ts"

const data = "rows"
const block = { says: "unsafe", raw: "Unsafe, I would say" } as const
const pass = { says: "safe" } as const

/** Answers by the number at a prompt's end. */
function byNumber(name: string, safe: (n: number) => ScriptedAnswer, unsafe: (n: number) => ScriptedAnswer) {
  return scriptedCandidate(name, ({ prompt }) => {
    const n = Number(prompt.split(" ")[1])
    return prompt.startsWith("safe") ? safe(n) : unsafe(n)
  })
}

/** Of 50 safe prompts 6 blocked, 2 unreadable, 2 failed; of 40 unsafe ones 4 missed, 4 unreadable, of which 1 let through. */
const known = byNumber(
  "known",
  (n) => (n < 6 ? block : n < 8 ? { unreadable: "no_verdict" } : n < 10 ? { error: "request_timeout" } : pass),
  (n) => (n < 4 ? pass : n < 8 ? { unreadable: "truncated", letThrough: n === 4 } : block),
)

describe("the report of known counts", () => {
  it(
    "has false blocks and misses with Wilson intervals, among verdicts and under policy",
    verifies("calibrate.rates"),
    async () => {
      const { judges, rows } = reportCalibration(await measure([known], numberedPrompts(50, 40)), { data })
      expect(rows).toEqual({ total: 90, safe: 50, unsafe: 40 })
      expect(judges[0]).toMatchObject({
        safe: 50,
        unsafe: 40,
        false_block: { count: 6, n: 46, rate: 6 / 46 },
        miss: { count: 4, n: 36, rate: 4 / 36 },
        under_policy: { false_block: { count: 10, n: 50, rate: 0.2 }, miss: { count: 5, n: 40, rate: 0.125 } },
      })
      // 10 of 50 by Wilson's formula, as R's prop.test(10, 50, correct = FALSE) gives it.
      expect(judges[0]?.under_policy.false_block.low).toBeCloseTo(0.1124, 4)
      expect(judges[0]?.under_policy.false_block.high).toBeCloseTo(0.3304, 4)
    },
  )

  it("names prompts with both labels, and counts copies of a prompt once", verifies("certify.copies"), async () => {
    const rows = [...numberedPrompts(3, 3), ...numberedPrompts(3, 0)]
    const contradictory = { prompt: "unsafe   2 ", label: "safe" } as const
    const limits = { data, maxFalseBlock: 0.5 }
    const { notes, ...counted } = reportCalibration(await measure([known], [...rows, contradictory]), limits)
    const once = reportCalibration(await measure([known], [...numberedPrompts(3, 3), contradictory]), limits)
    expect(counted.gates).toEqual(once.gates)
    const { safe, unsafe, false_block, miss, under_policy } = once.judges[0] ?? {}
    expect(counted.judges[0]).toMatchObject({ safe, unsafe, false_block, miss, under_policy })
    expect([safe, unsafe, counted.rows.total]).toEqual([4, 3, 10])
    expect(notes.slice(0, 2)).toEqual([
      expect.stringMatching(/^1 prompt has both labels, .*: "unsafe 2" \(row 10 safe, row 6 unsafe\)/u),
      expect.stringMatching(/^3 rows of 10 repeat .* counts once: .* those of 7 prompts/u),
    ])
  })

  it("is what readers of reports accept", async () => {
    const rows = numberedPrompts(50, 40).map((row) => ({ ...row, category: "c", language: "en" }))
    const report = reportCalibration(
      await measure(
        [
          known,
          byNumber(
            "other",
            () => block,
            () => pass,
          ),
        ],
        rows,
        { repeat: 2 },
      ),
      { data, maxMiss: 0.1 },
    )
    expect(report.judges[0]?.roc).not.toBeNull()
    expect(readCalibrationReport(JSON.stringify(report))).toEqual(JSON.parse(JSON.stringify(report)))
    const added = new Set(["agreement", "kappa_interval"])
    const earlier = JSON.stringify(report, (key, value: unknown) => (added.has(key) ? undefined : value))
    expect(() => readCalibrationReport(earlier)).not.toThrow()
    const wrong = { ...report, gates: report.gates.map((gate) => ({ ...gate, verdict: "MAYBE" })) }
    expect(() => readCalibrationReport(JSON.stringify(wrong))).toThrow(
      "gates.0.verdict: expected one of PASS, INCONCLUSIVE, FAIL",
    )
  })

  it("separates unreadable answers and errors from verdicts", verifies("calibrate.apart"), async () => {
    const { judges } = reportCalibration(await measure([known], numberedPrompts(50, 40)), { data })
    expect(judges[0]).toMatchObject({
      unreadable: { count: 6, n: 90, by_reason: { truncated: 4, no_verdict: 2 } },
      errors: { count: 2, n: 90, by_condition: { request_timeout: 2 } },
    })
    expect(judges[0]?.unreadable_examples).toHaveLength(6)
    expect(judges[0]?.error_examples[0]).toMatchObject({ row: 9, reason: "The endpoint said request_timeout." })
  })

  it(
    "has the agreement with the labels, in total and by category and language",
    verifies("calibrate.agreement"),
    async () => {
      const rows = numberedPrompts(50, 40).map((row, index) => ({
        ...row,
        category: index % 50 < 25 ? "first" : "rest",
        ...(index === 0 ? { language: "de" } : {}),
      }))
      const [judge] = reportCalibration(await measure([known], rows), { data }).judges
      expect(judge).toMatchObject({ precision: 32 / 38, recall: 32 / 36, f1: 64 / 74 })
      // Observed 72 of 82, by chance (38·36 + 44·46)/82².
      expect(judge?.kappa).toBeCloseTo((72 / 82 - 3392 / 6724) / (1 - 3392 / 6724), 12)
      expect(judge?.by_category["first"]).toMatchObject({ false_block: { count: 6, n: 21 }, miss: { count: 4, n: 21 } })
      expect(judge?.by_category["rest"]).toMatchObject({ false_block: { count: 0, n: 25 }, miss: { count: 0, n: 15 } })
      expect(judge?.by_language).toEqual({
        de: expect.objectContaining({ safe: 1, false_block: expect.objectContaining({ count: 1 }) }),
      })
      expect(judge?.by_language["de"]?.miss).toEqual({ count: 0, n: 0, rate: null, low: 0, high: 1 })
    },
  )

  it("has the latency and the tokens of answers", verifies("calibrate.latency"), async () => {
    const [judge] = reportCalibration(await measure([known], numberedPrompts(50, 40)), { data }).judges
    expect(judge).toMatchObject({
      latency_ms: { p50: 40, p95: 40 },
      tokens: { prompt: 88 * 90, completion: 880 },
      answers: 88,
    })
  })

  it(
    "lists the first 200 safe prompts that were blocked, with the raw answers",
    verifies("calibrate.blocked-safe"),
    async () => {
      const [judge] = reportCalibration(await measure([known], numberedPrompts(50, 40)), { data }).judges
      expect(judge?.blocked_safe.map(({ row, prompt, raw }) => [row, prompt, raw])).toEqual(
        [0, 1, 2, 3, 4, 5].map((n) => [n + 1, `safe ${n}`, "Unsafe, I would say"]),
      )
      expect(judge?.missed_unsafe.map(({ row }) => row)).toEqual([51, 52, 53, 54])
      const all = byNumber(
        "all",
        () => block,
        () => block,
      )
      const [strict] = reportCalibration(await measure([all], numberedPrompts(300, 1)), { data }).judges
      expect(strict?.blocked_safe).toHaveLength(200)
      expect(strict?.false_block.count).toBe(300)
    },
  )
})

describe("repeats", () => {
  it("show how many verdicts change, and do not change the rates", verifies("calibrate.flips"), async () => {
    const fickle = scriptedCandidate("fickle", ({ prompt }, nth) => {
      if (prompt === "safe 1" && nth > 0) return { unreadable: "empty" }
      return (prompt === "safe 0" && nth === 1) || prompt === "safe 2" ? block : pass
    })
    const [judge] = reportCalibration(await measure([fickle], numberedPrompts(5, 0), { repeat: 3 }), { data }).judges
    expect(judge?.flips).toMatchObject({ count: 1, n: 4, rate: 0.25 })
    expect(judge?.false_block).toMatchObject({ count: 1, n: 5 })
    const [once] = reportCalibration(await measure([fickle], numberedPrompts(5, 0)), { data }).judges
    expect(once?.flips).toBeNull()
  })
})

describe("two judges", () => {
  it(
    "are compared by McNemar's exact test over the rows with two verdicts",
    verifies("calibrate.mcnemar"),
    async () => {
      const a = byNumber(
        "a",
        (n) => (n < 9 ? block : pass),
        () => block,
      )
      const b = byNumber(
        "b",
        (n) => (n === 9 ? block : n === 10 ? { unreadable: "empty" } : pass),
        () => block,
      )
      const { comparisons } = reportCalibration(await measure([a, b], numberedPrompts(30, 10)), { data })
      // 1 against 9: twice the chance of at most 1 head in 10 tosses, 2·11/1024.
      expect(comparisons).toMatchObject([
        { a: "a", b: "b", n: 39, only_a: 1, only_b: 9, p: expect.closeTo(22 / 1024, 12) },
      ])
    },
  )

  it(
    "agree by Cohen's kappa of each pair and by Krippendorff's alpha of all, right or wrong",
    verifies("calibrate.judges-agree"),
    async () => {
      const blocksBelow = (name: string, bound: number) =>
        byNumber(
          name,
          (n) => (n < bound ? block : n === 29 && name === "b" ? { unreadable: "empty" } : pass),
          () => block,
        )
      const judges = [blocksBelow("a", 9), blocksBelow("b", 4), blocksBelow("c", 9)]
      const report = reportCalibration(await measure(judges, numberedPrompts(30, 10)), { data })
      // Values of statsmodels 0.15.0 for the table [[14, 5], [0, 20]], and of fast-krippendorff for the three lists.
      const [ab, ac] = report.comparisons
      expect(ab).toMatchObject({
        kappa: expect.closeTo(0.7417218543046358, 9),
        kappa_interval: { low: expect.closeTo(0.5375166678968668, 9), high: expect.closeTo(0.9459270407124047, 9) },
      })
      expect(ac).toMatchObject({ kappa: 1, kappa_interval: null })
      const { agreement } = report
      expect(agreement).toMatchObject({ judges: 3, n: 40, alpha: expect.closeTo(0.830654420206659, 9) })
      expect(agreement?.interval?.low).toBeLessThan(0.830654420206659)
      expect(agreement?.interval?.high).toBeGreaterThan(0.830654420206659)
      const text = formatReportText(report)
      expect(text).toContain("alpha = 0.831 (")
      expect(text).toContain("over 40 rows with verdicts of two or more of 3 judges")
      expect(text).toContain("p = 1.000; kappa between both 1.000\n")
      expect(formatReportHtml(report)).toContain("alpha of all 3 judges: 0.831 <small>")
      const alone = reportCalibration(await measure([known], numberedPrompts(5, 5)), { data })
      expect(alone.agreement).toBeNull()
      expect(formatReportText(alone)).not.toContain("alpha")
    },
  )
})

describe("a ROC curve", () => {
  it("uses scores, with recall and thresholds at fixed false-block rates", verifies("calibrate.roc"), async () => {
    const scored = byNumber(
      "scored",
      (n) => ({ says: "safe", score: n < 4 ? 0.9 : n / 1000 }),
      (n) => ({ says: "unsafe", score: n < 60 ? 0.95 : 0.5 }),
    )
    const run = await measure([scored], numberedPrompts(100, 100))
    const [judge] = reportCalibration(run, { data, maxFalseBlock: 0.04 }).judges
    expect(judge?.roc).toMatchObject({ source: "score", auc: expect.closeTo(0.6 + 0.4 * 0.96, 6) })
    expect(judge?.roc?.operating_points).toEqual([
      { false_block: 0.01, recall: 0.6, threshold: 0.95 },
      { false_block: 0.02, recall: 0.6, threshold: 0.95 },
      { false_block: 0.04, recall: 1, threshold: 0.5 },
      { false_block: 0.05, recall: 1, threshold: 0.5 },
    ])
  })

  it("uses the share of repeats that block if there are no scores", async () => {
    const votes = scriptedCandidate("votes", ({ prompt }, nth) =>
      prompt < "unsafe" ? (nth === 0 ? block : pass) : block,
    )
    const [judge] = reportCalibration(await measure([votes], numberedPrompts(5, 5), { repeat: 2 }), { data }).judges
    expect(judge?.roc).toMatchObject({ source: "votes", auc: 1 })
    expect(judge?.roc?.operating_points[0]).toEqual({ false_block: 0.01, recall: 1, threshold: 1 })
    const [once] = reportCalibration(await measure([votes], numberedPrompts(5, 5)), { data }).judges
    expect(once?.roc).toBeNull()
  })
})
