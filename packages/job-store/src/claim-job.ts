import { isFinalJobStatus, type JobScope } from "@assay/schemas"
import { sql } from "kysely"
import { readDatabaseTime, type Queries, notBefore } from "@assay/database"
import { jobOf, type JobRow } from "./job-row.ts"
import { FIRST_LEASE_MS } from "./job-lease.ts"
import { createJobRun, type JobRun } from "./job-run.ts"
import type { JobsContext } from "./jobs-context.ts"
import { holdJob, moveJob, type JobControl } from "./move-job.ts"

/**
 * Takes a job that no runner has. A job with a silent runner is taken after `settleLostJobs` has declared the runner lost. A
 * job that is being cancelled is taken so that it ends.
 */
export async function claimJob(context: JobsContext, id: string): Promise<JobRun | undefined> {
  const { database, now, newId } = context
  const row = await database.write(async (queries) => {
    const job = await holdJob(queries, database, id)
    if (job === undefined) return undefined
    const leaseTime = await readDatabaseTime(queries, context)
    return take(queries, job, { time: now(), leaseTime, lease: newId("lease") })
  })
  if (row === undefined) return undefined
  const scope: JobScope = JSON.parse(row.scope)
  return createJobRun(context, {
    job: jobOf(row),
    attempt: { number: row.attempt, scope, grants: JSON.parse(row.grants) },
    lease: row.lease,
    claim: row.claims,
  })
}

interface Taking {
  readonly time: number
  /** Time by the clock of the database. */
  readonly leaseTime: number
  readonly lease: string
}

async function take(queries: Queries, job: JobControl, taking: Taking): Promise<JobRow | undefined> {
  const { time, leaseTime, lease } = taking
  const columns = { lease, leased_until: leaseTime + FIRST_LEASE_MS, claims: job.claims + 1, is_stopping: 0 }
  if (job.status === "RUNNING") return job.lease === "" ? lend(queries, job, columns) : undefined
  if (job.status === "CANCELLING") return job.leased_until <= leaseTime ? lend(queries, job, columns) : undefined
  if (isFinalJobStatus(job.status)) return undefined
  const begun = job.status === "UNAVAILABLE" ? {} : { started_at: notBefore(sql`created_at`, time) }
  const change = { to: "RUNNING", message: "A runner has taken the job." } as const
  return moveJob(queries, job, change, { time, columns: { ...columns, ...begun } })
}

/** Gives the job to a runner without a change of status: its runner released it, or was lost while it was being cancelled. */
async function lend(
  queries: Queries,
  { id }: JobControl,
  columns: Pick<JobRow, "lease" | "leased_until" | "claims" | "is_stopping">,
): Promise<JobRow> {
  return queries
    .updateTable("evaluation_jobs")
    .set(columns)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
