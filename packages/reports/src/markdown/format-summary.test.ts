import type { Comparison, JudgeReport } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatSummary } from "./format-summary.ts"
import type { Summary, SummaryRow } from "./summary.ts"

const GATE = { name: "say.same.em", limit: ">= 0.8", value: 0.75, low: 0.7, high: 0.9, verdict: "INCONCLUSIVE" }
const STATS = { scored: 8, unreadable: 1, errored: 1, skipped: 0, complete: false, interval: { low: 0.7, high: 0.9 } }
const SCORES = [{ name: "say.same.em", found: { value: 0.75, stats: STATS } }] as unknown as NonNullable<
  Summary["scores"]
>
const ROW: SummaryRow = {
  task: "say",
  row_index: 3,
  repeat: 0,
  item: { q: "two times two" },
  output: "five",
  scores: { same: { em: 0 } },
  error: null,
}
const CONDITION = {
  code: "rate_limited",
  title: "The endpoint limits the rate",
  message: "It answered 429.",
  evidence: [],
  remedy: "Lower the parallelism.",
  count: 12,
}
const JOB = { status: "COMPLETED", message: "", conditions: [CONDITION], rows: 10, failed: 1, milliseconds: 1200 }
const COMPARISON = {
  jobs: [
    { id: "eval-a", name: "main" },
    { id: "eval-b", name: "this run" },
  ],
  margin: 0.02,
  verdict: "FAIL",
  scores: [
    {
      task: "say",
      metric: "same",
      score: "em",
      decides: true,
      pairs: [
        {
          job: "eval-b",
          rows: 10,
          baseline_mean: 0.9,
          mean: 0.75,
          difference: -0.15,
          interval: { low: -0.2, high: -0.05 },
          rows_needed: null,
          verdict: "FAIL",
        },
      ],
    },
  ],
  changed_rows: [
    {
      job: "eval-b",
      task: "say",
      row_index: 3,
      change: "worse",
      item: '{"q":"two"}',
      answers: ["four", "five"],
      scores: [{ metric: "same", score: "em", baseline: 1, value: 0 }],
    },
  ],
  changed_rows_total: 7,
  warnings: [],
} as unknown as Comparison

describe("the summary of a job in Markdown", () => {
  it(
    "begins with the verdict and the gate that decides, and lists scores, rows and conditions",
    verifies("cli.eval.summary"),
    () => {
      const links = [
        { label: "Job", url: "http://host.example/jobs/eval-b" },
        { label: "Report", path: "./out/report.html" },
      ]
      const text = formatSummary({
        name: "echoes",
        verdict: "INCONCLUSIVE",
        job: { ...JOB, asksModel: true },
        gates: [GATE],
        scores: SCORES,
        worst: [ROW],
        links,
      })
      expect(text.split("\n")).toEqual([
        "## ⚠️ INCONCLUSIVE: echoes",
        "",
        "- The gate <code>say.same.em &#62;= 0.8</code> is not decided: the value is 0.75, between 0.7 and 0.9, and more rows are needed.",
        "- The condition <code>rate_limited</code> is open: The endpoint limits the rate.",
        "",
        "### Scores",
        "",
        "| Score | Value | 95 % interval | Scored | Without a score |",
        "| --- | ---: | --- | ---: | ---: |",
        "| <code>say.same.em</code> | 0.75 | 0.7 to 0.9 | 8 | 2 |",
        "",
        "### Worst rows",
        "",
        "| Row | Scores | Question | Answer |",
        "| --- | --- | --- | --- |",
        '| <code>say/3</code> | <code>same.em</code> 0 | <code>{"q":"two times two"}</code> | <code>five</code> |',
        "",
        "### Conditions",
        "",
        "- **The endpoint limits the rate** <code>rate_limited</code> (12 times): It answered 429.",
        "  - Remedy: Lower the parallelism.",
        "",
        "10 rows, 1 of them failed · 1.2 s · tokens: unknown · cost: unknown · both without judges",
        "",
        "- [Job](<http://host.example/jobs/eval-b>)",
        "- Report: <code>./out/report.html</code>",
        "",
      ])
    },
  )

  it("says what changed against the baseline, and that a worse score decides", () => {
    const text = formatSummary({ name: "echoes", verdict: "FAIL", comparison: COMPARISON })
    expect(text).toMatch(
      /^## ❌ FAIL: echoes\n\n- <code>say.same.em<\/code> is worse than the baseline: the difference is -0.15/,
    )
    expect(text).toContain("### Against the baseline <code>main</code>")
    expect(text).toContain("| <code>say.same.em</code> | 0.9 | 0.75 | -0.15 | -0.2 to -0.05 | 10 | FAIL |")
    expect(text).toContain("7 rows changed; the 1 that changed most")
    expect(text).toContain("worse, <code>same.em</code> 1 → 0")
    const several = { ...COMPARISON, jobs: [...COMPARISON.jobs, { id: "c", name: "third" }] }
    const ofBoth = formatSummary({ name: "echoes", verdict: "FAIL", comparison: several })
    expect(ofBoth).toContain("7 rows changed, counted for each of 2 jobs; the 1 that changed most")
    expect(ofBoth).toContain("| Job | Row | Change | Question | Before | After |")
  })

  it("knows tokens of some answers, and shows no number that nobody counted", () => {
    const cost = (tokens: NonNullable<Summary["job"]>["tokens"]) =>
      formatSummary({
        name: "a",
        verdict: "PASS",
        job: { ...JOB, conditions: [], tokens, cost: null, asksModel: true },
      })
    expect(cost({ prompt: 1200, completion: 40 })).toContain(
      "tokens: 1,200 of prompts, 40 of answers · cost: unknown · both without judges\n",
    )
    expect(cost({ prompt: null, completion: null, total: null, uncounted: 9 })).toContain("tokens: unknown · cost")
    expect(cost({ prompt: 5, completion: 5, total: 10, uncounted: 2 })).toContain(
      "tokens: 10, and unknown for 2 answers",
    )
  })

  it("says once what a judge may decide, and leaves out findings without a value", () => {
    const none = { agreement: null, people: null, difference: null, position: null, flips: null }
    const message = "Do not gate on it yet: no row has a label of a person."
    const length = { rows: 60, correlation: null, interval: null, given_labels: null }
    const judge = { ...none, length, conclusion: "not_yet", message } as unknown as JudgeReport
    const scores = [{ name: "a.b", found: { value: 1, judge } }] as unknown as typeof SCORES
    const text = formatSummary({ name: "a", verdict: "PASS", scores })
    expect(text).toContain("- <code>a.b</code>: **Do not gate on it yet**: no row has a label of a person.\n")
    expect(text).not.toContain("length of answers")
  })

  it("has the status instead of a verdict if nothing decides", () => {
    const text = formatSummary({ name: "a", verdict: "PASS", job: { ...JOB, conditions: [] } })
    expect(text).toMatch(/^## ℹ️ COMPLETED: a\n\n- There is no gate and no baseline, so no score decides\.\n/)
  })

  it("shows markup of rows, models and names as text", verifies("cli.eval.summary"), () => {
    const hostile = [
      "</code></td><script>alert(1)</script><img src=x>",
      "| a | b |\n| --- | --- |\r\n# heading\n- [x] `code` **bold** ~~no~~ ![i](http://host.example/i) [l](javascript:x)",
      "@team please look at #12, https://host.example www.host.example $x$ \\| end",
      "\u202Eevil\u001B[31m\uD800",
    ].join("\n")
    const text = formatSummary({
      name: hostile,
      verdict: "FAIL",
      job: {
        ...JOB,
        status: "FAILED",
        message: hostile,
        conditions: [{ ...CONDITION, title: hostile, message: hostile }],
      },
      gates: [{ ...GATE, name: hostile, verdict: "FAIL" }],
      worst: [{ ...ROW, item: { q: hostile }, output: hostile, scores: { [hostile]: { em: 0 } } }],
      comparison: { ...COMPARISON, warnings: [hostile], changes: [hostile] },
      notes: [hostile],
      links: [{ label: hostile, path: hostile }],
    })
    expect(text).not.toMatch(/<(?!\/?code>)|[`~$\\\u202E\uD800]|:\/\/|www\.|@(?!&#8203;)|\]\(|\*\*bold/)
    expect(text).toContain("⟨U+202E⟩")
    expect(text.match(/&#64;(?!&#8203;)/)).toBeNull()
    for (const line of text.split("\n")) {
      if (line.startsWith("|")) expect(line.split("|").length).toBeOneOf([6, 7, 9])
      else expect(line).toMatch(/^$|^(##|###|- | {2}- |A score|7 rows|10 rows)/)
    }
  })

  it("leaves out sections at the end that do not fit, and says so", () => {
    const worst = Array.from({ length: 5 }, () => ({ ...ROW, output: "ü".repeat(500) }))
    const all = { name: "a", verdict: "FAIL", job: JOB, gates: [GATE], scores: SCORES, worst } as const
    const text = formatSummary(all, { maxBytes: 900 })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900)
    expect(text).toContain("### Scores")
    expect(text.endsWith("_The rest is left out, because a summary may have at most 1 MiB._\n")).toBe(true)
    expect(formatSummary(all)).toContain("### Worst rows")
    expect(formatSummary(all, { maxBytes: 20 })).toBe("")
  })

  it("says of a gate on these rows that it is not about other rows", verifies("gates.these-rows"), () => {
    const gate = { ...GATE, limit: ">= 0.7 on these rows", low: null, high: null, on_these_rows: true } as const
    const text = (verdict: "PASS" | "FAIL", reason?: string) =>
      formatSummary({ name: "a", verdict, gates: [{ ...gate, verdict, ...(reason === undefined ? {} : { reason }) }] })
    expect(text("PASS")).toContain(
      "0.7 on these rows</code> passes: the value is 0.75, which keeps the limit. It says nothing about other rows.\n",
    )
    expect(text("FAIL", "1 of 10 rows has no score.")).toContain(
      "on these rows</code> fails: 1 of 10 rows has no score. It says",
    )
  })
})

it(
  "shows the whole item of a row that a model answered, also if the answer repeats a field of it",
  verifies("cli.eval.summary"),
  () => {
    const worst = [{ ...ROW, item: { q: "repeat me" }, output: "repeat me" }]
    const textOf = (asksModel: boolean) =>
      formatSummary({ name: "echoes", verdict: "PASS", job: { ...JOB, asksModel }, worst })
    expect(textOf(true)).toContain('<code>{"q":"repeat me"}</code>')
    expect(textOf(false)).toContain("<code>{}</code>")
  },
)
