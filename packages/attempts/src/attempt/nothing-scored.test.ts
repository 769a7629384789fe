import { nothingScored } from "./nothing-scored.ts"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"

const summary = (scored: number): Parameters<typeof nothingScored>[0]["tasks"][number]["metrics"][string][string] => ({
  stats: null,
  value: "NaN",
  counts: { scored, unreadable: 2 - scored, errored: 0, skipped: 0 },
})
const tasksOf = (metrics: Readonly<Record<string, number>>) => ({
  tasks: [
    {
      task: "t",
      metrics: Object.fromEntries(Object.entries(metrics).map(([key, scored]) => [key, { s: summary(scored) }])),
    },
  ],
})
const isExpense = (_: string, metric: string) => metric === "cost"

it(
  "A cost that no endpoint reports fails no job whose other metrics have scores",
  verifies("budgets.uncountable"),
  () => {
    expect(nothingScored(tasksOf({ right: 2, cost: 0 }), isExpense)).toBeUndefined()
    expect(nothingScored(tasksOf({ cost: 0 }), isExpense)).toMatchObject({ code: "nothing_scored" })
    expect(nothingScored(tasksOf({ right: 0, cost: 0 }), isExpense)).toMatchObject({
      message: "Metric 'right' of task 't' scored none of 2 rows.",
    })
  },
)
