import { exactNumber } from "@assay/json"
import type { EvaluationRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { resultOf, rowOf, summaryOf } from "../testing/tiny-result.ts"
import { compareJobs } from "./compare-jobs.ts"
import type { JobToCompare } from "./job-to-compare.ts"

const bit = (value: number) => ({ check: { "string-check": value } })

/** Returns a job with these rows, which are read in batches of 7. */
function job(id: string, rows: readonly EvaluationRow[], more: Partial<JobToCompare> = {}): JobToCompare {
  const values = rows.map((row) => row.scores["check"]?.["string-check"] ?? "NaN")
  return {
    id,
    name: `job ${id}`,
    result: resultOf({ task: "qa", metrics: { check: { "string-check": summaryOf(values) } } }),
    async *rows() {
      for (let at = 0; at < rows.length; at += 7) yield rows.slice(at, at + 7)
    },
    ...more,
  }
}
const rows = (count: number, isRight: (index: number) => boolean) =>
  Array.from({ length: count }, (_, index) => rowOf(index, bit(isRight(index) ? 1 : 0)))

describe("comparing jobs", () => {
  it("counts rows of a group once if cluster_by names their field", verifies("eval.compare"), async () => {
    const grouped = (from: number) =>
      Array.from({ length: 60 }, (_, index) =>
        rowOf(index, bit((index % 6) / 10 + from), { item: { prompt: `question ${index}`, document: index % 6 } }),
      )
    const config: JobToCompare["config"] = { type: "custom", params: { cluster_by: "document" } }
    const both = await compareJobs([job("a", grouped(0)), job("b", grouped(0.1))])
    expect(both.scores[0]?.pairs[0]?.rows).toBe(60)
    const together = await compareJobs([job("a", grouped(0), { config }), job("b", grouped(0.1), { config })])
    expect(together.scores[0]?.pairs[0]?.rows).toBe(6)
  })

  it("tells jobs of one name apart by their ids", verifies("eval.compare"), async () => {
    const same = (id: string) =>
      job(
        id,
        rows(10, () => true),
        { name: "nightly" },
      )
    const { jobs } = await compareJobs([
      same("a"),
      same("b"),
      job(
        "c",
        rows(10, () => true),
      ),
    ])
    expect(jobs.map(({ name }) => name)).toEqual(["nightly (a)", "nightly (b)", "job c"])
  })

  it("takes what is no number in a changed file for no score", verifies("eval.compare"), async () => {
    const wrong = [exactNumber("-1e308"), null, "1", [1], true, {}]
    const changed = rows(40, () => true).map((row, at) =>
      at < wrong.length ? { ...row, scores: { check: { "string-check": wrong[at] as number } } } : row,
    )
    const b = job(
      "b",
      rows(40, () => true),
      {
        async *rows() {
          yield changed
        },
      },
    )
    const found = await compareJobs([
      job(
        "a",
        rows(40, () => true),
      ),
      b,
    ])
    expect(found.scores[0]?.pairs[0]).toMatchObject({ rows: 34, left_out: 6, difference: 0 })
  })

  it(
    "pairs rows, tests zeros and ones with McNemar, and shows the rows that changed",
    verifies("eval.compare"),
    async () => {
      // 8 rows that only A got right, 2 that only B did, of 40.
      const a = job(
        "a",
        rows(40, (index) => index < 30),
      )
      const b = job(
        "b",
        rows(40, (index) => (index >= 8 && index < 30) || index >= 38),
      )
      const found = await compareJobs([a, b])
      expect(found.jobs.map(({ id }) => id)).toEqual(["a", "b"])
      expect(found.scores).toHaveLength(1)
      const [score] = found.scores
      expect(score).toMatchObject({ task: "qa", metric: "check", score: "string-check", values: [0.75, 0.6] })
      expect(score?.pairs).toMatchObject([
        {
          job: "b",
          rows: 40,
          left_out: 0,
          only_baseline: 8,
          only_job: 2,
          improved: 2,
          worsened: 8,
          method: "mcnemar-exact",
        },
      ])
      // The binomial tail: 2 (1 + 10 + 45) / 1024.
      expect(score?.pairs[0]?.p).toBeCloseTo(0.109375, 12)
      expect(score?.pairs[0]?.difference).toBeCloseTo(-0.15, 12)
      expect(score?.pairs[0]).toMatchObject({
        verdict: "INCONCLUSIVE",
        smallest_detectable_effect: expect.any(Number),
        rows_needed: expect.any(Number),
      })
      expect(found.changed_rows_total).toBe(10)
      expect(found.changed_rows.map(({ row_index, change }) => `${change} ${row_index}`)).toEqual([
        ...[0, 1, 2, 3, 4, 5, 6, 7].map((index) => `worse ${index}`),
        "better 38",
        "better 39",
      ])
      expect(found.changed_rows[0]).toMatchObject({
        item: '{"prompt":"question 0"}',
        answers: ["answer 0", "answer 0"],
        scores: [{ metric: "check", score: "string-check", baseline: 1, value: 0 }],
      })
    },
  )

  it(
    "refuses a job that is compared with itself, or with a copy of its results",
    verifies("eval.compare"),
    async () => {
      const a = job(
        "a",
        rows(10, () => true),
      )
      await expect(compareJobs([a, a])).rejects.toThrow(
        "'job a' is the same job (a), so there is nothing to compare: name another job.",
      )
      await expect(
        compareJobs([
          a,
          job(
            "b",
            rows(10, () => false),
          ),
          { ...a, name: "copy" },
        ]),
      ).rejects.toThrow("'job a' and 'copy' are the same job (a)")
      const later = job(
        "a",
        rows(10, (at) => at > 0),
      )
      expect((await compareJobs([a, later])).verdict).toBe("INCONCLUSIVE")
    },
  )

  it("warns about a job that its gates have ended", async () => {
    const [a, b] = [
      job(
        "a",
        rows(40, () => true),
      ),
      job(
        "b",
        rows(20, () => true),
      ),
    ]
    const score = b.result.tasks["qa"]?.metrics["check"]?.scores["string-check"]
    if (score?.stats === undefined || score.stats.interval === null) throw new Error("There is no interval.")
    const stats = { ...score.stats, interval: { ...score.stats.interval, method: "betting" }, skipped: 20 }
    const result = structuredClone({
      ...b.result,
      tasks: { qa: { metrics: { check: { scores: { "string-check": { ...score, stats } } } } } },
    })
    const { warnings } = await compareJobs([a, { ...b, result }])
    const without =
      "'qa.check.string-check' is compared without 20 of 40 answers: the rows differ, or only one of the jobs has the score."
    expect(warnings).toEqual([expect.stringMatching(/^'job b' was ended by its gates/), without])
    expect((await compareJobs([a, b])).warnings).toEqual([without])
  })

  it("passes equal results of any number of rows, unless rows are left out", verifies("eval.compare"), async () => {
    for (const count of [1, 3, 40]) {
      const [a, b] = ["a", "b"].map((id) =>
        job(
          id,
          rows(count, (index) => index % 2 === 0),
        ),
      ) as [JobToCompare, JobToCompare]
      expect((await compareJobs([a, b])).verdict).toBe("PASS")
    }
    const whole = job(
      "whole",
      rows(3, () => true),
    )
    const less = job("less", [...rows(2, () => true), rowOf(2, {})])
    expect((await compareJobs([whole, less])).verdict).toBe("INCONCLUSIVE")
  })

  it("passes a job within the margin and fails one beyond it", async () => {
    const better = job(
      "better",
      rows(200, () => true),
    )
    const worse = job(
      "worse",
      rows(200, (index) => index % 2 === 0),
    )
    expect((await compareJobs([worse, better])).verdict).toBe("PASS")
    expect((await compareJobs([better, worse], { margin: 0.1 })).verdict).toBe("FAIL")
    expect((await compareJobs([better, worse], { margin: 0.9 })).verdict).toBe("PASS")
  })

  it("uses sign permutation for other scores, and counts repeats of a row once", async () => {
    const repeated = (lift: number) =>
      Array.from({ length: 60 }, (_, at) =>
        rowOf(at % 30, bit(((at * 7) % 10) / 10 + lift), { repeat: Math.floor(at / 30) }),
      )
    const found = await compareJobs([job("a", repeated(0)), job("b", repeated(0.05))])
    const pair = found.scores[0]?.pairs[0]
    expect(pair).toMatchObject({ rows: 30, method: "sign-permutation-resampled", improved: 60, only_job: null })
    expect(pair?.difference).toBeCloseTo(0.05, 10)
    expect(pair?.verdict).toBe("PASS")
  })

  it("is not decided by amounts if there are other scores", async () => {
    const config = {
      type: "custom" as const,
      tasks: { qa: { metrics: { same: { type: "string-check" }, speed: { type: "latency" } } } },
    }
    const both = (name: string, ms: number) => {
      const values = Array.from({ length: 30 }, (_, index) => ms + (index % 5))
      const all = values.map((latency_ms, index) => rowOf(index, { same: { ok: 1 }, speed: { latency_ms } }))
      const metrics = { same: { ok: summaryOf(all.map(() => 1)) }, speed: { latency_ms: summaryOf(values) } }
      return { ...job(name, all), result: resultOf({ task: "qa", metrics }), config }
    }
    const { verdict, scores, changed_rows_total, changed_rows } = await compareJobs([both("a", 10), both("b", 40)])
    expect(verdict).toBe("PASS")
    expect([changed_rows_total, changed_rows]).toEqual([0, []])
    expect(scores.map(({ unit }) => unit)).toEqual(["share", "ms"])
    expect(scores.map(({ metric, decides, pairs }) => [metric, decides, pairs[0]?.verdict])).toEqual([
      ["same", true, "PASS"],
      ["speed", false, "FAIL"],
    ])
  })

  it("treats a lower expense as better", async () => {
    const seconds = (id: string, ms: number) => {
      const all = Array.from({ length: 30 }, (_, index) => rowOf(index, { speed: { latency_ms: ms + index } }))
      return {
        ...job(id, all),
        result: resultOf({ task: "qa", metrics: { speed: { latency_ms: summaryOf(all.map((_, at) => ms + at)) } } }),
        config: { type: "custom" as const, tasks: { qa: { metrics: { speed: { type: "latency" } } } } },
      }
    }
    const found = await compareJobs([seconds("slow", 500), seconds("fast", 100)])
    expect(found.scores[0]).toMatchObject({ higher_is_better: false, pairs: [{ improved: 30, verdict: "PASS" }] })
    expect(found.changed_rows[0]?.change).toBe("better")
  })

  it("is decided by amounts if neither job has anything else, whichever of them has a metric", async () => {
    const named = (id: string, ms: number, metrics: readonly string[]) => {
      const all = Array.from({ length: 30 }, (_, index) =>
        rowOf(index, Object.fromEntries(metrics.map((metric) => [metric, { latency_ms: ms + index }]))),
      )
      const summaries = metrics.map((metric) => [metric, { latency_ms: summaryOf(all.map((_, at) => ms + at)) }])
      const types = metrics.map((metric) => [metric, { type: "latency" }])
      return {
        ...job(id, all),
        result: resultOf({ task: "qa", metrics: Object.fromEntries(summaries) }),
        config: { type: "custom" as const, tasks: { qa: { metrics: Object.fromEntries(types) } } },
      }
    }
    const { verdict, scores } = await compareJobs([named("a", 100, ["speed"]), named("b", 500, ["speed", "again"])])
    expect(verdict).toBe("FAIL")
    expect(
      scores.map(({ metric, decides, unit, higher_is_better: isBetter }) => [metric, decides, unit, isBetter]),
    ).toEqual([
      ["speed", true, "ms", false],
      ["again", true, "ms", false],
    ])
  })

  it("counts the last attempt of a row, and leaves out rows without a score on both sides", async () => {
    const failed = rowOf(3, {}, { error: { code: "request_timeout", message: "late" } })
    const again = rowOf(3, bit(1), { attempt: 2 })
    const b = [...rows(5, (index) => index !== 3).with(4, { ...failed, row_index: 4 }), again]
    const found = await compareJobs([
      job(
        "a",
        rows(6, () => true),
      ),
      job("b", b),
    ])
    expect(found.scores[0]?.pairs[0]).toMatchObject({ rows: 4, left_out: 2, improved: 0, worsened: 0 })
    expect(found.warnings).toContainEqual(expect.stringContaining("is compared without 2 of 6 answers"))
  })

  it("ignores the scores and answers of an attempt that a later one replaces", async () => {
    const sample = (text: string) => ({
      sample: { output_text: text, response: null, usage: null, latency_ms: 1, finish_reason: "stop" },
    })
    const b = [
      ...rows(9, () => true),
      rowOf(0, bit(0), { attempt: 2, ...sample("new") }),
      rowOf(1, {}, { attempt: 2, error: { code: "request_timeout", message: "late" } }),
    ]
    const found = await compareJobs([
      job(
        "a",
        rows(9, () => true),
      ),
      job("b", b),
    ])
    expect(found.scores[0]?.pairs[0]).toMatchObject({ rows: 8, left_out: 1, worsened: 1 })
    expect(found.changed_rows.map(({ answers }) => answers)).toEqual([["answer 0", "new"]])
  })

  it("leaves out rows that ask something else, but not rows that differ only in a given answer", async () => {
    const item = (index: number, more: object) => ({ item: { prompt: `p${index}`, ...more } })
    const side = (id: string, other: object) =>
      job(id, [rowOf(0, bit(1), item(0, { output: id })), rowOf(1, bit(1), item(1, other))])
    const found = await compareJobs([side("a", {}), side("b", { topic: "other" })])
    expect(found.scores[0]?.pairs[0]).toMatchObject({ rows: 1, left_out: 1 })
    expect(found.warnings).toEqual(["1 row of 'job b' asks something else than that of 'job a'; it is left out."])
  })

  it("warns if the jobs read different data", async () => {
    const pin = (sha256: string) => [
      {
        files_url: "hf://datasets/default/q/rows.jsonl",
        fileset: "default/q",
        fileset_id: "1",
        revision: null,
        files: [{ path: "rows.jsonl", size: 5, sha256, etag: null }],
      },
    ]
    const found = await compareJobs([
      job(
        "a",
        rows(3, () => true),
        { pins: pin("aa") },
      ),
      job(
        "b",
        rows(3, () => true),
        { pins: pin("bb") },
      ),
      job(
        "c",
        rows(3, () => true),
        { pins: [] },
      ),
    ])
    expect(found.warnings).toEqual([
      "hf://datasets/default/q/rows.jsonl had other bytes in rows.jsonl when 'job b' read it than for 'job a'.",
      "'job a' read hf://datasets/default/q/rows.jsonl, 'job c' did not: rows are paired by their number.",
    ])
    expect(found.scores[0]?.pairs.map((pair) => pair.job)).toEqual(["b", "c"])
  })

  it("shows scores that only one job has, without comparing them", async () => {
    const other = {
      ...job("b", [rowOf(0, { bleu: { sentence: 3 } })]),
      result: resultOf({
        task: "qa",
        metrics: {
          bleu: { corpus: { stats: null, value: 12.5, counts: { scored: 1, unreadable: 0, errored: 0, skipped: 0 } } },
        },
      }),
    }
    const found = await compareJobs([
      job(
        "a",
        rows(1, () => true),
      ),
      other,
    ])
    expect(found.scores.map(({ metric, values, pairs }) => [metric, values, pairs])).toEqual([
      ["check", [1, null], []],
      ["bleu", [null, 12.5], []],
    ])
    expect(found.verdict).toBe("INCONCLUSIVE")
  })

  it("refuses a single job", async () => {
    await expect(compareJobs([job("a", [])])).rejects.toMatchObject({ code: "invalid_request" })
  })
})
