import { AssayError } from "@assay/schemas"
import { planGates } from "../gates/plan-gates.ts"
import { issueList, type PlanIssue } from "../plan/plan-issues.ts"
import { inRandomOrder } from "../plan/plan-job.ts"
import type { RandomOrder } from "../plan/plan-job.ts"
import { type CountedTask, countedMetric } from "./counted-task.ts"
import { orderOfRun, type StoredJob, type StoredPlan, storedTask } from "./stored-task.ts"

/**
 * Plans a job to count the scores of its stored rows. It needs neither templates nor models.
 * @throws `bad_document` for a task without a number of units; the first issue of its gates
 */
export function planCountedJob(
  job: Pick<StoredJob, "id" | "config" | "units">,
  described: readonly CountedTask[],
  environment: RandomOrder["environment"],
): StoredPlan {
  const issues: PlanIssue[] = []
  const named = described.map(({ name, group, metrics }) => ({ name, group, metrics }))
  const gates = planGates(job.config, named, issueList(null, issues))
  const [first] = issues
  if (first !== undefined) throw new AssayError(first.code, first.message)
  const tasks = described.map(({ name, group, repeats, cluster_by: clusterBy, slices, metrics }) => {
    const fields = { name, group, repeats, maxFailedShare: 1, clusterBy, slices }
    const task = storedTask(fields, metrics.map(countedMetric), job)
    return inRandomOrder(task, gates, orderOfRun(job, environment))
  })
  return { tasks, unbound: new Map(), gates, pins: [], close: () => Promise.resolve() }
}
