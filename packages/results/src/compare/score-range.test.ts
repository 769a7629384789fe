import { expect, it } from "vitest"
import { scoreRange } from "./score-range.ts"

const judge = { scores: { tone: { type: "int", minimum: 1, maximum: 5 }, mood: { type: "float" } } }
const config = {
  type: "custom" as const,
  tasks: {
    qa: {
      type: "data",
      metrics: {
        judge: { type: "llm-judge", params: judge },
        exact: { type: "string-check" },
        chrf: { type: "chrf" },
        time: { type: "latency" },
      },
    },
  },
}

it.each([
  ["the scale of a judge", { metric: "judge", score: "tone" }, [1, 5]],
  [
    "the scale of a judge, though its values are from 0 to 1",
    { metric: "judge", score: "tone", unit: "share" },
    [1, 5],
  ],
  ["the scale of a metric", { metric: "chrf", score: "chrf" }, [0, 100]],
  ["0 to 1 for checks", { metric: "exact", score: "string-check", unit: "share" }, [0, 1]],
  [
    "0 to 1 for a judge without a scale whose values are shares",
    { metric: "judge", score: "mood", unit: "share" },
    [0, 1],
  ],
  ["none for a judge without a scale", { metric: "judge", score: "mood" }, undefined],
  ["none for amounts", { metric: "time", score: "latency", unit: "ms" }, undefined],
])("is %s", (_what, score, range) => expect(scoreRange(config, { task: "qa", ...score })).toEqual(range))
