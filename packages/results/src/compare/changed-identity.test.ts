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

describe("comparing jobs whose scores measure different things", () => {
  const judged = (params: Record<string, unknown>): Partial<JobToCompare> => ({
    config: { type: "custom", tasks: { qa: { type: "data", metrics: { check: { type: "llm-judge", params } } } } },
  })
  const judge = {
    model: { api_endpoint: { url: "http://a/v1", model_id: "large" } },
    template: "Is {{ item.answer }} right?",
    scores: { "string-check": { type: "int" } },
  }
  const half = rows(40, (index) => index < 20)
  const all = rows(40, () => true)
  const compareWith = (params: Record<string, unknown>, options = {}) =>
    compareJobs([job("a", half, judged(judge)), job("b", all, judged(params))], options)

  it.each([
    ["the prompt of a judge", { ...judge, template: "Is it right?" }, "prompt"],
    [
      "the model of a judge",
      { ...judge, model: { api_endpoint: { ...judge.model.api_endpoint, model_id: "small" } } },
      "model_id",
    ],
  ])(
    "say so and do not decide if %s differs, unless that is allowed",
    verifies("eval.compare.changed"),
    async (_what, params, named) => {
      const found = await compareWith(params)
      expect(found.verdict).toBeNull()
      expect(found.scores[0]?.pairs[0]).toMatchObject({ verdict: null, identity: { changed: [named] } })
      expect(found.changes).toEqual([
        expect.stringContaining("'qa.check.string-check' measures something else in 'job b' than in 'job a'"),
      ])
      const allowed = await compareWith(params, { allowChanged: true })
      expect(allowed).toMatchObject({ verdict: "PASS", scores: [{ pairs: [{ identity: { changed: [named] } }] }] })
    },
  )

  it(
    "decide if another prompt of the target is also shown to the judge",
    verifies("eval.compare.changed"),
    async () => {
      const asked = (prompt: string): Partial<JobToCompare> => {
        const messages = [{ role: "user", content: `user: ${prompt}\nassistant: {{ sample.output_text }}` }]
        const metrics = { check: { type: "llm-judge", params: { ...judge, template: { messages } } } }
        return {
          config: { type: "custom", tasks: { qa: { type: "data", params: { template: { prompt } }, metrics } } },
        }
      }
      const found = await compareJobs([job("a", half, asked("{{ q }}")), job("b", all, asked("Briefly: {{ q }}"))])
      expect(found).toMatchObject({ verdict: "PASS", changes: [] })
    },
  )

  it("decide if only the address or the key of a judge differs", verifies("eval.compare.changed"), async () => {
    const moved = {
      ...judge,
      model: { api_endpoint: { ...judge.model.api_endpoint, url: "http://b/v1", api_key_secret: "k" } },
    }
    expect(await compareWith(moved)).toMatchObject({ verdict: "PASS", changes: [] })
  })

  it("do not decide if the configurations or tasks are of other kinds", verifies("eval.compare.changed"), async () => {
    const other = (config: NonNullable<JobToCompare["config"]>) =>
      compareJobs([job("a", half, judged(judge)), job("b", all, { config })])
    expect((await other({ type: "agentic" })).changes).toHaveLength(1)
    expect((await other({ type: "custom", tasks: { qa: { type: "chat-completion" } } })).verdict).toBeNull()
  })

  it("decide the scores that measure the same beside one that does not", verifies("eval.compare.changed"), async () => {
    const two = (values: readonly EvaluationRow[], isWorse: boolean, params: Record<string, unknown>) => {
      const plain = (row: EvaluationRow) => ({ plain: { em_score: isWorse && row.row_index < 20 ? 0 : 1 } })
      const scored = values.map((row) => ({ ...row, scores: { ...row.scores, ...plain(row) } }))
      const ofPlain = scored.map(({ scores }) => scores["plain"]?.["em_score"] ?? "NaN")
      const check = values.map((row) => row.scores["check"]?.["string-check"] ?? "NaN")
      const metrics = { check: { "string-check": summaryOf(check) }, plain: { em_score: summaryOf(ofPlain) } }
      return { ...job(isWorse ? "b" : "a", scored, judged(params)), result: resultOf({ task: "qa", metrics }) }
    }
    const other = { ...judge, template: "Is it right?" }
    const found = await compareJobs([two(half, false, judge), two(all, true, other)])
    expect(found.verdict).toBe("FAIL")
    expect(found.scores.map(({ pairs: [pair] }) => pair?.verdict)).toEqual([null, "FAIL"])
  })

  it(
    "tell another version of a metric by the identities of the results",
    verifies("eval.compare.changed"),
    async () => {
      const stored = (id: string, identity: string) => {
        const found = job(id, half, judged(judge))
        const score = found.result.tasks["qa"]?.metrics["check"]?.scores["string-check"]
        if (score !== undefined) score.identity = identity
        return found
      }
      const pairOf = async (before: string, after: string) => {
        const { scores } = await compareJobs([stored("a", before), stored("b", after)])
        return scores[0]?.pairs[0]
      }
      expect(await pairOf("1".repeat(64), "2".repeat(64))).toMatchObject({ identity: { changed: ["version"] } })
      expect(await pairOf("1".repeat(64), "1".repeat(64))).toMatchObject({ verdict: "PASS" })
      const old = await compareJobs([job("a", half, judged(judge)), stored("b", "2".repeat(64))])
      expect(old.verdict).toBe("PASS")
      expect(old.warnings).toEqual([expect.stringContaining("The scores of 'job a' have no identity")])
    },
  )
})
