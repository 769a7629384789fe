import { CONDITIONS, formatTimestamp, type Condition } from "@assay/schemas"
import type { RegistryContext } from "../registry-context.ts"
import { holdJob, moveJob, type JobControl } from "./move-job.ts"

/** How often a runner may be lost in one round of a job. */
export const MOST_TAKEOVERS = 3

/** Jobs that are settled in one turn. */
const TURN = 100

type LostContext = Pick<RegistryContext, "database" | "now">

/**
 * Makes the jobs UNAVAILABLE whose runner has been silent for the time of a lease, so that another one takes them up;
 * those that have lost too many runners fail.
 */
export async function settleLostJobs({ database, now }: LostContext): Promise<string[]> {
  const silent = await database.read((queries) =>
    queries
      .selectFrom("evaluation_jobs")
      .select("id")
      .where("status", "=", "RUNNING")
      .where("lease", "!=", "")
      .where("leased_until", "<=", now())
      .limit(TURN)
      .execute(),
  )
  const settled: string[] = []
  for (const { id } of silent) {
    const isLost = await database.write(async (queries) => {
      const time = now()
      const job = await holdJob(queries, database, id)
      // Its runner may have spoken meanwhile, or another server may have been first.
      if (job?.status !== "RUNNING" || job.lease === "" || job.leased_until > time) return false
      const takeovers = job.takeovers + 1
      const columns = { lease: "", leased_until: 0, takeovers }
      if (takeovers > MOST_TAKEOVERS) {
        const conditions = [runnerLost(job, time)]
        const change = { to: "FAILED", message: CONDITIONS.runner_lost.title, conditions } as const
        await moveJob(queries, job, change, { time, columns })
      } else {
        const message = "Its runner has stopped reporting; another one takes it up."
        await moveJob(queries, job, { to: "UNAVAILABLE", message }, { time, columns })
      }
      return true
    })
    if (isLost) settled.push(id)
  }
  return settled
}

function runnerLost({ id, takeovers }: JobControl, time: number): Condition {
  const { title, remedy } = CONDITIONS.runner_lost
  const count = takeovers + 1
  const seen = formatTimestamp(time)
  return {
    code: "runner_lost",
    title,
    message: `${count} runners of the job '${id}' stopped reporting, one after the other.`,
    evidence: [`The last one was silent from ${seen} on, for longer than its lease.`],
    remedy,
    count,
    first_seen: seen,
    last_seen: seen,
  }
}

/** Ends the leases that a server held which has gone: for a database that no other server can be at. */
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
