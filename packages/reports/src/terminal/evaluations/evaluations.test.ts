import type { Comparison } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { paint } from "../tone.ts"
import { formatComparison } from "./format-comparison.ts"
import { formatExplanation, formatOutcome, type Outcome } from "./format-outcome.ts"
import { formatRowAttempts } from "./format-row-attempts.ts"

const CONDITION = {
  code: "rate_limited",
  title: "The endpoint limits the rate",
  message: "It answered 429.",
  evidence: ["one", "two", "three", "four"],
  remedy: "Lower the parallelism.",
  count: 1200,
}
const STATS = { scored: 8, unreadable: 0, errored: 2, skipped: 0, complete: false, interval: { low: 0.5, high: 0.9 } }
const SCORES = [{ name: "say.same.em", found: { value: 0.75, stats: STATS } }] as unknown as Outcome["scores"]
const OUTCOME: Outcome = {
  name: "echoes",
  status: "FAILED",
  message: "2 rows failed.",
  scores: SCORES,
  conditions: [CONDITION],
  gates: [{ name: "say.same.em", limit: ">= 0.8", value: 0.75, low: 0.5, high: 0.9, verdict: "INCONCLUSIVE" }],
  rows: 10,
  milliseconds: 1200,
  results: "./out",
  next: ["assay eval retry-failed ./out"],
}

describe("the outcome of a run", () => {
  it("has scores, gates, conditions with what to do, the report and the next commands", () => {
    expect(paint(formatOutcome(OUTCOME), false).split("\n")).toEqual([
      "echoes: FAILED with 1 condition open, 10 rows in 1.2 s",
      "2 rows failed.",
      "",
      "SCORE        VALUE  95 % INTERVAL  SCORED  UNREADABLE  ERRORED  SKIPPED",
      "say.same.em  0.75*  0.5 to 0.9          8           0        2        0",
      "* over the rows that were scored, not over all",
      "",
      "GATE                VALUE  INTERVAL    VERDICT",
      "say.same.em >= 0.8   0.75  0.5 to 0.9  INCONCLUSIVE",
      "",
      "rate_limited: The endpoint limits the rate (1,200 times)",
      "  It answered 429.",
      "  | one",
      "  | two",
      "  | three",
      "  → Lower the parallelism.",
      "",
      "report: ./out/results/report.html",
      "",
      "next:",
      "    assay eval retry-failed ./out",
      "",
    ])
  })

  it("begins with the verdict, and shows at most three of the worst rows with what was wrong", () => {
    const row = (index: number, output: string) => ({
      task: "say",
      row_index: index,
      repeat: 0,
      item: { q: `${index}?` },
      output,
      error: null,
      scores: { same: { em: index === 0 ? ("NaN" as const) : 0 } },
    })
    const failed = { ...row(3, ""), repeat: 1, output: null, error: { code: "timeout", message: "Too late." } }
    const worst = [failed, row(0, "one\ntwo"), row(1, "x"), row(2, "y")] as Outcome["worst"]
    const gates = [{ name: "say.same.em", limit: ">= 0.8", value: 0.5, low: 0.4, high: 0.6, verdict: "FAIL" }] as const
    const completed: Outcome = { ...OUTCOME, worst: worst ?? [], status: "COMPLETED", verdict: "FAIL", gates }
    const shown = paint(formatOutcome({ ...completed, scores: null, conditions: [], results: undefined }), false)
    expect(shown.split("\n")).toEqual([
      "FAIL: echoes, COMPLETED, 10 rows in 1.2 s",
      "",
      "GATE                VALUE  INTERVAL    VERDICT",
      "say.same.em >= 0.8    0.5  0.4 to 0.6  FAIL",
      "",
      "WORST ROWS  SCORES              ROW         ANSWER",
      'say/3#1     timeout             {"q":"3?"}  Too late.',
      'say/0       same.em unreadable  {"q":"0?"}  one two',
      'say/1       same.em 0           {"q":"1?"}  x',
      "",
    ])
  })

  it("says that a gate is about these rows only, which are not several that are decided together", () => {
    const base = { name: "say.same.em", value: 0.75, low: null, high: null, on_these_rows: true } as const
    const gates = [
      { ...base, limit: ">= 0.7 on these rows", verdict: "PASS" },
      { ...base, limit: ">= 0.8 on these rows", verdict: "FAIL", reason: "1 of 10 rows has no score." },
    ]
    const shown = paint(formatOutcome({ ...OUTCOME, gates, conditions: [], scores: null }), false)
    expect(shown).toContain(`GATE                              VALUE  INTERVAL  VERDICT
say.same.em >= 0.7 on these rows   0.75  –         PASS
say.same.em >= 0.8 on these rows   0.75  –         FAIL
say.same.em >= 0.8 on these rows fails: 1 of 10 rows has no score.
A gate on these rows compares their value without an interval, and says nothing about other rows.

`)
  })

  it("that has completed has no message and no next commands", () => {
    const completed = { ...OUTCOME, status: "COMPLETED", scores: null, gates: [], conditions: [], results: undefined }
    expect(formatOutcome(completed)).toBe("echoes: COMPLETED, 10 rows in 1.2 s\n")
    expect(formatOutcome({ ...completed, cost: null })).toBe("echoes: COMPLETED, 10 rows in 1.2 s\n")
    const cost = { amount: 0.0017, currency: "USD" }
    expect(formatOutcome({ ...completed, cost })).toBe("echoes: COMPLETED, 10 rows in 1.2 s, 0.0017 USD\n")
  })

  it("is explained by its summary if there are no conditions", () => {
    expect(formatExplanation({ summary: "The job is running.", conditions: [], next: [] })).toBe(
      "The job is running.\n",
    )
  })
})

describe("a comparison of jobs", () => {
  it("has a line per score, the rows that changed most, and warnings", () => {
    const pair = { job: "b", baseline_mean: 0.5, mean: 0.75, difference: 0.25, p: 0.0004, rows: 8, verdict: "PASS" }
    const numbers = { interval: { low: 0.1, high: 0.4 }, smallest_detectable_effect: 0.2, rows_needed: 1200 }
    const row = { metric: "same", score: "em", baseline: 0, value: 1 }
    const comparison = {
      jobs: [
        { id: "a", name: "./old" },
        { id: "b", name: "./new" },
      ],
      verdict: "PASS",
      margin: 0,
      scores: [{ task: "say", metric: "same", score: "em", decides: true, pairs: [{ ...pair, ...numbers }] }],
      changed_rows: [{ change: "better", task: "say", row_index: 3, scores: [row], item: "q", answers: ["x", null] }],
      changed_rows_total: 2,
      warnings: ["The rows differ."],
    } as unknown as Comparison
    expect(paint(formatComparison(comparison), false).split("\n")).toEqual([
      "./new against ./old: PASS (margin 0: no score may be worse)",
      "",
      "SCORE        BEFORE  AFTER  DIFFERENCE  95 % INTERVAL       P  ROWS  DETECTABLE  VERDICT",
      "say.same.em     0.5   0.75       +0.25  0.1 to 0.4     4.0e-4     8         0.2  PASS",
      "",
      "say.same.em: about 1,200 rows would decide, if they differ as these do",
      "",
      "2 rows changed; the 1 that changed most:",
      "better: say, row 3: same.em 0 → 1",
      "  row     q",
      "  before  x",
      "  after   –",
      "",
      "warning: The rows differ.",
      "",
    ])
    const jobs = [...comparison.jobs, { id: "c", name: "./other" }]
    const of = { ...comparison, jobs, changed_rows: comparison.changed_rows.map((one) => ({ ...one, job: "c" })) }
    expect(paint(formatComparison(of), false)).toContain(
      "2 rows changed, counted for each of 2 jobs; the 1 that changed most:\nbetter: ./other, say, row 3: same.em 0 → 1\n",
    )
  })
})

describe("one row", () => {
  it("is shown with each attempt: what was asked, the answer, the scores and what an unreadable judge said", () => {
    const attempt = {
      task: "qa",
      row_index: 3,
      repeat: 1,
      attempt: 2,
      item: { question: "Why?" },
      output: "Since.",
      latency_ms: 12.3,
      finish_reason: "stop",
      scores: { quality: { score: "NaN" as const } },
      unreadable: { quality: { reason: "no_verdict", raw: "Hm." } },
      error: { code: "rate_limited", message: "Slower." },
      requests: [
        { metric: null, requests: [{ to: "writer", body: { model: "writer" } }], reason: null },
        { metric: "quality", requests: [], reason: "The row has no 'reference'." },
      ],
      response: null,
      usage: null,
    }
    expect(formatRowAttempts({ task: "qa", row_index: 3, attempts: [attempt] }).split("\n")).toEqual([
      "qa/3",
      "",
      "  item:",
      "    {",
      '      "question": "Why?"',
      "    }",
      "",
      "repeat 1, attempt 2 (12 ms, stop)",
      "  request to writer:",
      "    {",
      '      "model": "writer"',
      "    }",
      "  request of quality, which cannot be rendered again:",
      "    The row has no 'reference'.",
      "  answer:",
      "    Since.",
      "  error rate_limited:",
      "    Slower.",
      "  quality.score: NaN",
      "  quality has no score (no_verdict), because its judge said:",
      "    Hm.",
      "",
    ])
  })

  it("that is a conversation is shown turn by turn, with its calls and why it ended", () => {
    const turn = { turn: 0, latency_ms: 1, output_text: "It is locked.", scores: { polite: { yes: 1 } } }
    const calls = [
      { name: "find", arguments: { id: 1 }, result: { status: "open" } },
      { name: "cancel", arguments: {}, error: "locked" },
    ]
    const conversation = {
      end: "turns" as const,
      turns: [{ ...turn, user: "Cancel it", calls }],
      messages: [],
      state: { order: "open" },
      malformed_calls: 0,
      unknown_tools: 0,
    }
    const attempt = {
      task: "qa",
      row_index: 3,
      repeat: 0,
      attempt: 1,
      item: {},
      output: "It is locked.",
      latency_ms: null,
      finish_reason: null,
      scores: {},
      error: null,
      requests: [],
      response: null,
      usage: null,
      conversation,
    }
    const text = formatRowAttempts({ task: "qa", row_index: 3, attempts: [attempt] })
    expect(text.split("\n").slice(6)).toEqual([
      "  turn 1:",
      "    user: Cancel it",
      '    find({"id":1}) → {"status":"open"}',
      "    cancel({}) ✗ locked",
      "    assistant: It is locked.",
      "    polite.yes: 1",
      '  end: turns, with the state {"order":"open"}',
      "",
    ])
  })
})
