import { describe, expect, it } from "vitest"
import type { EvaluationContent } from "./evaluation-content.ts"
import { withGatesInJob } from "./gates-of-content.ts"

const metrics = { exact: { type: "em" }, "exact.long": { type: "em" } }
const content = (...gates: string[]): EvaluationContent => ({
  target: { type: "rows", rows: [] },
  config: {
    type: "custom",
    params: { gates: [{ task: "qa", metric: "exact", op: ">=", value: 0.1 }] },
    tasks: {
      qa: { type: "data", metrics },
      other: { type: "data", metrics: { f: { type: "f1" }, g: { type: "f1" } } },
      third: { type: "data", metrics: { g: { type: "f1" } } },
    },
  },
  gates,
})
const gatesIn = (...gates: string[]) => {
  const { config, gates: left } = withGatesInJob(content(...gates))
  return { left, gates: typeof config === "string" ? [] : config.params?.gates?.slice(1) }
}

describe("the gates of a file whose job nobody waits for", () => {
  it("can name checks of turns, one turn of them, and the facts of a simulated user", () => {
    const conversation = {
      turns: [
        { user: "a", metrics: { said: { type: "em" } } },
        { user: "b", repeat: { until: { type: "em" }, limit: 2 } },
      ],
      user: { goal: "c", model: { api_endpoint: { url: "http://127.0.0.1:1" } }, judge: {} },
    }
    const { config } = withGatesInJob({
      target: { type: "rows", rows: [] },
      config: { type: "custom", tasks: { answers: { type: "conversation", params: { conversation }, metrics } } },
      gates: ["said >= 0.5", "answers.said@3.em_score >= 0.5", "user.kept_facts >= 0.9"],
    } as unknown as EvaluationContent)
    expect(typeof config === "string" ? [] : config.params?.gates).toEqual([
      { task: "answers", metric: "said", op: ">=", value: 0.5 },
      { task: "answers", metric: "said@3", score: "em_score", op: ">=", value: 0.5 },
      { task: "answers", metric: "user", score: "kept_facts", op: ">=", value: 0.9 },
    ])
  })

  it("are gates of the job, with the longest metric that they name", () => {
    const found = gatesIn(
      "qa.exact >= 0.8",
      "qa.exact.long.em_score <= 0.2",
      "f >= 1 on these rows",
      "other.f.f1_score corrected by people >= 0.5",
    )
    expect(found).toEqual({
      left: undefined,
      gates: [
        { task: "qa", metric: "exact", op: ">=", value: 0.8 },
        { task: "qa", metric: "exact.long", score: "em_score", op: "<=", value: 0.2 },
        { task: "other", metric: "f", op: ">=", value: 1, on_these_rows: true },
        { task: "other", metric: "f", score: "f1_score", op: ">=", value: 0.5, corrected: true },
      ],
    })
  })

  it.each([
    ["exat >= 0.8", "'exat' is not a metric of this file; its metrics are qa.exact,"],
    ["g >= 0.8", "'g' is not a metric of this file"],
    ["qa.exact = 1", "compares with '='"],
  ])("are refused if they name no metric, or one of several tasks: %s", (gate, message) => {
    expect(() => gatesIn(gate)).toThrow(
      expect.objectContaining({ code: "bad_document", message: expect.stringContaining(message) }),
    )
  })

  it("are refused if a server stores the configuration", () => {
    expect(() => withGatesInJob({ ...content("qa.exact >= 1"), config: "default/nightly" })).toThrow(
      "write them into the stored configuration",
    )
  })
})
