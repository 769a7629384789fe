import { AssayError, type EvaluationJob, type JobScope } from "@assay/schemas"
import type { RegistryContext } from "../registry-context.ts"
import { jobOf } from "./job-row.ts"
import { checkFinal, holdJob, jobNotFound, moveJob } from "./move-job.ts"

const WAITING: Readonly<Record<JobScope["kind"], string>> = {
  run: "Waiting for a runner that goes on with it.",
  "retry-failed": "Waiting for a runner that asks the failed rows again.",
  score: "Waiting for a runner that adds scores.",
}

/** Begins another round of a final job. What was answered stays in its journal. */
export async function restartJob(
  { database, now }: Pick<RegistryContext, "database" | "now">,
  id: string,
  scope: JobScope,
): Promise<EvaluationJob> {
  const row = await database.write(async (queries) => {
    const time = now()
    const job = await holdJob(queries, database, id)
    if (job === undefined) throw jobNotFound(id)
    checkFinal(job, "begun anew")
    if (scope.kind === "run" && job.status === "COMPLETED") {
      const message = `Evaluation job '${id}' is COMPLETED: there is nothing to resume; retry-failed asks its failed rows again.`
      throw new AssayError("illegal_transition", message, { context: { job: id, status: job.status } })
    }
    const columns = {
      scope: JSON.stringify(scope),
      // Only what is answered or scored anew makes another attempt.
      attempt: scope.kind === "run" ? job.attempt : job.attempt + 1,
      takeovers: 0,
      finished_at: null,
    }
    return moveJob(queries, job, { to: "PENDING", message: WAITING[scope.kind], conditions: [] }, { time, columns })
  })
  return jobOf(row)
}
