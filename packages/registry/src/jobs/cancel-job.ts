import { AssayError, type EvaluationJob } from "@assay/schemas"
import type { RegistryContext } from "../registry-context.ts"
import { jobOf } from "./job-row.ts"
import { holdJob, jobNotFound, moveJob } from "./move-job.ts"

const ASKED = { to: "CANCELLING", message: "Asked to stop." } as const

/** Asks for the end of a job. To ask again changes nothing. */
export async function cancelJob(
  { database, now }: Pick<RegistryContext, "database" | "now">,
  id: string,
): Promise<EvaluationJob> {
  const row = await database.write(async (queries) => {
    const time = now()
    const job = await holdJob(queries, database, id)
    if (job === undefined) throw jobNotFound(id)
    switch (job.status) {
      case "CREATED":
      case "PENDING":
        return moveJob(queries, job, { to: "CANCELLED", message: "Cancelled before it began." }, { time })
      case "RUNNING":
        return moveJob(queries, job, ASKED, { time })
      case "UNAVAILABLE":
        // Nobody runs it: whoever takes it up ends it. The table has no shorter way.
        await moveJob(queries, job, { to: "RUNNING", message: "Taken up to be cancelled." }, { time })
        return moveJob(queries, { ...job, status: "RUNNING" }, ASKED, { time })
      case "CANCELLING":
      case "CANCELLED":
        return queries.selectFrom("evaluation_jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
      case "COMPLETED":
      case "FAILED":
        throw new AssayError(
          "illegal_transition",
          `Evaluation job '${id}' is ${job.status}: there is nothing to cancel.`,
          {
            context: { job: id, status: job.status },
          },
        )
    }
  })
  return jobOf(row)
}
