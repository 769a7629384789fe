import { AssayError, type EvaluationJob } from "@assay/schemas"
import type { RegistryContext } from "../registry-context.ts"
import { jobOf } from "./job-row.ts"
import { holdJob, jobNotFound, moveJob } from "./move-job.ts"

/** Asks for the end of a job. To ask again changes nothing. */
export async function cancelJob(
  { database, now }: Pick<RegistryContext, "database" | "now">,
  id: string,
): Promise<EvaluationJob> {
  const row = await database.write(async (queries) => {
    const time = now()
    const job = await holdJob(queries, database, id)
    if (job === undefined) throw jobNotFound(id)
    const { status } = job
    if (status === "COMPLETED" || status === "FAILED") {
      throw new AssayError("illegal_transition", `Evaluation job '${id}' is ${status}: there is nothing to cancel.`, {
        context: { job: id, status },
      })
    }
    if (status === "CREATED" || status === "PENDING") {
      return moveJob(queries, job, { to: "CANCELLED", message: "Cancelled before it began." }, { time })
    }
    if (status === "UNAVAILABLE") {
      // Nobody runs it: whoever takes it up ends it. The table has no shorter way.
      await moveJob(queries, job, { to: "RUNNING", message: "Taken up to be cancelled." }, { time })
    }
    if (status === "RUNNING" || status === "UNAVAILABLE") {
      return moveJob(queries, { ...job, status: "RUNNING" }, { to: "CANCELLING", message: "Asked to stop." }, { time })
    }
    return queries.selectFrom("evaluation_jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
  })
  return jobOf(row)
}
