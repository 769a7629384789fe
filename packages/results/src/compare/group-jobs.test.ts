import type { EvaluationRow } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { resultOf, rowOf, summaryOf } from "../testing/tiny-result.ts"
import { groupJobs } from "./group-jobs.ts"
import type { JobToCompare } from "./job-to-compare.ts"

/** Returns a job over 100 rows, of which it answers the first `right` well. */
function job(name: string, right: number, more: (row: number) => Partial<EvaluationRow> = () => ({})): JobToCompare {
  const rows = Array.from({ length: 100 }, (_, row) => rowOf(row, { check: { same: Number(row < right) } }, more(row)))
  return {
    id: `eval-${name}`,
    name,
    result: resultOf({ task: "qa", metrics: { check: { same: summaryOf([1, 0]) } } }),
    async *rows() {
      yield rows
    },
  }
}

describe("groups of jobs", () => {
  it("put jobs that paired tests do not tell apart into one group, the best first", async () => {
    const found = await groupJobs([job("weak", 40), job("best", 80), job("next", 78)], { score: "check" })
    expect(found.score).toBe("qa.check.same")
    expect(found.jobs).toEqual([
      { id: "eval-best", name: "best", mean: 0.8, group: "a" },
      { id: "eval-next", name: "next", mean: 0.78, group: "a" },
      { id: "eval-weak", name: "weak", mean: 0.4, group: "b" },
    ])
    expect(found.pairs).toHaveLength(3)
  })

  it("count no row that asks something else in one of the jobs", async () => {
    const other = job("other", 80, (row) => (row >= 40 && row < 80 ? { item: { prompt: "another question" } } : {}))
    const found = await groupJobs([job("weak", 40), other], { score: "qa.check" })
    expect(found).toMatchObject({ different_rows: 40, jobs: [{ group: "a" }, { group: "a" }] })
  })

  it("name the scores of the jobs if none is the one that is asked for", async () => {
    await expect(groupJobs([job("one", 40)], { score: "tone" })).rejects.toThrow(
      "'tone' is not a score of these jobs; they have qa.check.same.",
    )
  })
})
