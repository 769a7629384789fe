import { verifies } from "@assay/testkit/verifies"
import { expect, it } from "vitest"
import { createRunner } from "../testing/create-runner.ts"
import { tinyPlan } from "../testing/tiny-plan.ts"
import { createTaskRun } from "./attempt/task-run.ts"
import { countRows } from "./count-rows.ts"
import { createStop } from "./create-stop.ts"

it("a fault while rows are counted ends the job, not the process", verifies("run.failed-rows"), async () => {
  const [task] = tinyPlan({}).tasks
  if (task === undefined) throw new Error("There is no task.")
  const stop = createStop(new AbortController().signal)
  const run = createTaskRun(task, { attempt: 1, scope: { kind: "run" } })
  const counting = countRows([run], stop, () => {
    throw new Error("broken")
  })
  await counting.done
  expect(stop.end()).toMatchObject({ kind: "failed", code: "internal", message: expect.stringContaining("broken") })
})

it(
  "a max_failed_share below 0 allows no failed row, but does not fail a job that has none",
  verifies("run.failed-rows"),
  async () => {
    const { end } = await createRunner()(tinyPlan({ maxFailedShare: -1 }))
    expect(end).toEqual({ kind: "finished" })
  },
)
