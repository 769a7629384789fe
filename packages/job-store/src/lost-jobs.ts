import { CONDITIONS, formatTimestamp, type Condition } from "@assay/schemas"
import { databaseTime, readDatabaseTime } from "@assay/database"
import type { JobsContext } from "./jobs-context.ts"
import { holdJob, moveJob, type JobControl } from "./move-job.ts"

/** A job that loses this many runners in a row without a new row fails, because it may be the reason for their loss. */
export const MAX_LOSSES = 2

/** Maximum number of jobs in one call. */
const TURN = 100

type LostContext = Pick<JobsContext, "database" | "now">

/**
 * Sets jobs to UNAVAILABLE if their runner has been silent for the time of a lease, so that another runner takes them. Jobs
 * that lose one runner after another without progress fail. Returns the ids of these jobs.
 */
export async function settleLostJobs(context: LostContext): Promise<string[]> {
  const { database, now } = context
  const silent = await database.read((queries) =>
    queries
      .selectFrom("evaluation_jobs")
      .select("id")
      .where("status", "=", "RUNNING")
      .where("lease", "!=", "")
      .where("leased_until", "<=", databaseTime(context))
      .limit(TURN)
      .execute(),
  )
  const settled: string[] = []
  for (const { id } of silent) {
    const isLost = await database.write(async (queries) => {
      const job = await holdJob(queries, database, id)
      // Its runner may have reported in the meantime, or another server may have been first.
      if (job?.status !== "RUNNING" || job.lease === "") return false
      if (job.leased_until > (await readDatabaseTime(queries, context))) return false
      const time = now()
      // A server that was asked to stop has not crashed, even if it was killed before it released the job.
      const takeovers = job.takeovers + (job.is_stopping === 1 ? 0 : 1)
      const columns = { lease: "", leased_until: 0, takeovers }
      if (takeovers >= MAX_LOSSES) {
        const conditions = [runnerLost(job, takeovers, time)]
        const change = { to: "FAILED", message: CONDITIONS.runner_lost.title, conditions } as const
        await moveJob(queries, job, change, { time, columns })
      } else {
        const message = "Its runner has stopped reporting; another one continues the job."
        await moveJob(queries, job, { to: "UNAVAILABLE", message }, { time, columns })
      }
      return true
    })
    if (isLost) settled.push(id)
  }
  return settled
}

function runnerLost({ id, claims }: JobControl, count: number, time: number): Condition {
  const { title, remedy } = CONDITIONS.runner_lost
  const seen = formatTimestamp(time)
  return {
    code: "runner_lost",
    title,
    message: `${count} runners in a row stopped while they ran the job '${id}', without a new row in between.`,
    evidence: [
      `The job was started by ${claims} ${claims === 1 ? "runner" : "runners"} in total.`,
      `At ${seen} its last runner had not renewed its lease in time or was gone.`,
    ],
    remedy,
    count,
    first_seen: seen,
    last_seen: seen,
  }
}

/** Ends all leases. For a database that no other server uses. */
export async function freeJobs({ database, now }: LostContext): Promise<void> {
  const time = now()
  await database.write((queries) =>
    queries
      .updateTable("evaluation_jobs")
      .set({ leased_until: time })
      .where("lease", "!=", "")
      .where("leased_until", ">", time)
      .execute(),
  )
}
