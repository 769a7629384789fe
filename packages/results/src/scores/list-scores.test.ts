import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { isAmount, isHigherBetter } from "./list-scores.ts"

it(
  "an edit rate is better if it is lower, and the numbers it is computed from are amounts",
  verifies("metric.ter"),
  () => {
    const config = {
      type: "custom",
      tasks: { qa: { metrics: { edits: { type: "ter" }, overlap: { type: "chrf" } } } },
    } as const
    const of = (metric: string, score: string) => {
      const key = { task: "qa", metric, score }
      return [isHigherBetter(config, key), isAmount(config, key)]
    }
    expect(of("edits", "sentence")).toEqual([false, false])
    expect(of("edits", "corpus")).toEqual([false, false])
    expect(of("edits", "reference_length")).toEqual([false, true])
    expect(of("overlap", "chrf")).toEqual([true, false])
    expect(of("overlap", "edits")).toEqual([true, false])
  },
)
