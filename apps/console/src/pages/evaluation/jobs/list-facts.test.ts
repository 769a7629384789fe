import type { EvaluationJob } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { datasetsOf, endOf, gateOf } from "./job-facts.ts"
import { findJobs, scoreNames, sortJobs } from "./list-facts.ts"

const job = (id: string, more: Record<string, unknown> = {}): EvaluationJob =>
  ({
    id,
    namespace: "team",
    description: "",
    custom_fields: {},
    config: {
      type: "custom",
      name: "capitals",
      tasks: { qa: { dataset: { files_url: "assay://datasets/team/qa/a.csv" } } },
    },
    target: { type: "model", model: { api_endpoint: { url: "http://x", model_id: "llama-70b" } } },
    status: "COMPLETED",
    status_details: { means: { "qa.f1": Number(id) / 10 }, gates: [] },
    ...more,
  }) as never

const gates = (...verdicts: string[]) => ({ status_details: { gates: verdicts.map((verdict) => ({ verdict })) } })

describe("the facts of jobs", () => {
  it("have one verdict of all gates, the datasets of tasks, and the scores of most jobs first", () => {
    expect(
      [gates(), gates("PASS"), gates("PASS", "INCONCLUSIVE"), gates("INCONCLUSIVE", "FAIL")].map((one) =>
        gateOf(one as never),
      ),
    ).toEqual([undefined, "PASS", "INCONCLUSIVE", "FAIL"])
    const recorded = (status: string, verdict?: string | null) =>
      endOf({ status, status_details: { ...gates("PASS").status_details, verdict } } as never)
    const ends = [recorded("COMPLETED", "INCONCLUSIVE"), recorded("COMPLETED"), recorded("COMPLETED", null)]
    expect([...ends, recorded("FAILED", null), recorded("RUNNING")]).toEqual([
      "INCONCLUSIVE (completed)",
      "PASS (completed)",
      "COMPLETED",
      "FAILED",
      "RUNNING",
    ])
    expect(datasetsOf(job("1"))).toEqual(["team/qa/a.csv"])
    const other = job("2", { status_details: { means: { speed: 1, "qa.f1": 1 } } })
    expect(scoreNames([other, job("1")])).toEqual(["qa.f1", "speed"])
  })

  it("are searched by words of the description, tags, model, configuration, dataset, workspace, id and source", () => {
    const jobs = [
      job("1", { description: "Nightly run", custom_fields: { tags: ["of tonight", 3] } }),
      job("22", { rescored_from: "eval-older" }),
    ]
    const found = (text: string) => findJobs(jobs, text).map(({ id }) => id)
    expect(["nightly LLAMA", "qa/a", "22", "capitals team", "gpt", " ", "tonight", "older"].map(found)).toEqual([
      ["1"],
      ["1", "22"],
      ["22"],
      ["1", "22"],
      [],
      ["1", "22"],
      ["1"],
      ["22"],
    ])
  })

  it("are sorted by any column in both directions, and jobs without a value come last", () => {
    const jobs = [job("2"), job("3"), job("1"), job("4", { status_details: {} })]
    const sorted = (sort: string) =>
      sortJobs(jobs, sort, 0)
        .map(({ id }) => id)
        .join("")
    expect(["score:qa.f1", "-score:qa.f1", "name", "cost", "unknown"].map(sorted)).toEqual([
      "1234",
      "3214",
      "2314",
      "2314",
      "2314",
    ])
  })
})
