import { finishSteps } from "@assay/metrics"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { TaskPlan } from "../../plan/task-plan.ts"
import type { BoundMetric } from "@assay/scoring"
import { rowOf } from "@assay/results/testing"
import { createTaskTally } from "./task-tally.ts"

const metric: BoundMetric = {
  key: "tone",
  type: "given",
  scores: ["value"],
  isRemote: false,
  score: () => ({ scores: {} }),
}
const task = (more: Partial<TaskPlan> = {}): TaskPlan => ({
  name: "qa",
  rows: { async *open() {}, count: () => Promise.resolve(0) },
  ask: {
    kind: "given",
    take: () => ({ output_text: null, response: null, usage: null, latency_ms: null, finish_reason: null }),
  },
  metrics: [metric],
  repeats: 1,
  parallelism: 1,
  maxFailedShare: 0,
  shardRows: 1000,
  ...more,
})
/** Returns the standard error of forty rows about ten documents. All rows of a document have the same score. */
function stderrOf(plan: TaskPlan, document: (index: number) => unknown): unknown {
  const tally = createTaskTally(plan)
  for (let index = 0; index < 40; index++) {
    tally.keep(rowOf(index, { tone: { value: (index % 10) / 10 } }, { item: { document: document(index) } }))
  }
  return finishSteps(tally.summary(40)).metrics["tone"]?.["value"]?.stats?.stderr
}

describe("groups of rows", () => {
  it("give the clustered standard error if cluster_by names their field", verifies("metric.stats"), () => {
    const deviation = Math.sqrt(0.825 / 9)
    expect(stderrOf(task({ clusterBy: "document" }), (index) => ({ id: index % 10 }))).toBeCloseTo(
      deviation / Math.sqrt(10),
      12,
    )
    const expected = Math.sqrt((4 * 0.825) / 39) / Math.sqrt(40)
    expect(stderrOf(task(), (index) => index % 10)).toBeCloseTo(expected, 12)
  })

  it("treat each row without the field as its own group", () => {
    const expected = Math.sqrt((4 * 0.825) / 39) / Math.sqrt(40)
    expect(stderrOf(task({ clusterBy: "document" }), (index) => (index % 2 === 0 ? null : undefined))).toBeCloseTo(
      expected,
      12,
    )
    expect(stderrOf(task({ clusterBy: "constructor" }), () => 1)).toBeCloseTo(expected, 12)
  })
})
