import { createRandom, finishSteps } from "@assay/metrics"
import type { EvaluationRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { TaskPlan } from "../../plan/task-plan.ts"
import { tinyMetric, tinyPlan } from "../../testing/tiny-plan.ts"
import { rowOf } from "@assay/results/testing"
import { createTaskTally } from "./task-tally.ts"

const random = createRandom(7)
const SCORED = tinyMetric("check", { scores: ["rate", "amount"] })
/** Sixty rows about twelve documents, asked three times each. Sums of thirds are rounded. */
const ROWS = Array.from({ length: 60 }, (_, at) => [0, 1, 2].map((repeat) => ({ at, repeat }))).flatMap((units) =>
  units.map(({ at, repeat }) =>
    rowOf(at, { check: { rate: random() / 3, amount: random() * 1e6 } }, { repeat, item: { document: at % 12 } }),
  ),
)

function summaryOf(rows: readonly EvaluationRow[], over: Partial<TaskPlan>): string {
  const [task] = tinyPlan({ metrics: [SCORED] }).tasks
  if (task === undefined) throw new Error("no task")
  const tally = createTaskTally({ ...task, ...over })
  for (const row of rows) tally.keep(row)
  return JSON.stringify(finishSteps(tally.summary(rows.length)))
}

describe("the summary of a task", () => {
  it.each([
    ["rows that are asked three times", { repeats: 3 }],
    ["groups of rows", { repeats: 3, clusterBy: "document" }],
    ["rows without the field of their group", { repeats: 3, clusterBy: "absent" }],
  ])("is the same to the last digit in whichever order rows come: %s", verifies("run.shards"), (_, over) => {
    const expected = summaryOf(ROWS, over)
    for (let order = 0; order < 20; order++) {
      const mixed = ROWS.map((row) => ({ row, key: random() })).toSorted((a, b) => a.key - b.key)
      expect(
        summaryOf(
          mixed.map(({ row }) => row),
          over,
        ),
      ).toBe(expected)
    }
  })
})
