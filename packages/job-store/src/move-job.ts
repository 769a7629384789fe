import {
  AssayError,
  checkTransition,
  type Condition,
  isFinalJobStatus,
  type EvaluationJob,
  type JobStatus,
  jobVerdict,
} from "@assay/schemas"
import { sql, type UpdateObject } from "kysely"
import { type Database, type Queries, type Tables, changeTime, notBefore } from "@assay/database"
import { addEvents } from "./job-events.ts"
import { type EndedJob, noteJobEnd } from "./webhook-events.ts"
import type { JobRow } from "./job-row.ts"
import { isDiscarded } from "./is-discarded.ts"

/** A new status, and the facts that are recorded with it. */
export interface JobChange {
  readonly to: JobStatus
  readonly message: string
  readonly conditions?: readonly Condition[]
}

const CONTROL = [
  "id",
  "namespace",
  "status",
  "status_details",
  "lease",
  "leased_until",
  "takeovers",
  "claims",
  "is_stopping",
  "attempt",
] as const

/** The columns of a job that control it. */
export type JobControl = Pick<JobRow, (typeof CONTROL)[number]>

const CONTROL_COLUMNS = sql.raw(CONTROL.join(", "))

/** Reads and locks a job until the transaction ends. Undefined if there is none. */
export async function holdJob(queries: Queries, { dialect }: Database, id: string): Promise<JobControl | undefined> {
  // Written as text: every beat and every shard begins with it, and building the query costs more than sending it.
  const { rows } =
    await sql<JobControl>`select ${CONTROL_COLUMNS} from evaluation_jobs where id = ${id} ${dialect.forChange}`.execute(
      queries,
    )
  return rows[0]
}

/** Reads and locks a job until the transaction ends. @throws `not_found`, also if the job is in the trash */
export async function requireJob(queries: Queries, database: Database, id: string): Promise<JobControl> {
  const job = await holdJob(queries, database, id)
  // After the lock: another transaction can have moved the job into the trash. Jobs at work are not there.
  const isGone = job === undefined || (isFinalJobStatus(job.status) && (await isDiscarded(queries, id)))
  if (isGone) throw jobNotFound(id)
  return job
}

interface MoveOptions {
  readonly time: number
  /** Columns that change with the status. */
  readonly columns?: UpdateObject<Tables, "evaluation_jobs">
  /** Replaces the status details, except the message. */
  readonly details?: Omit<EvaluationJob["status_details"], "message"> | undefined
}

/**
 * Changes the status of a locked job, and adds an event. A final status ends the lease, and is recorded with the verdict.
 * @throws `illegal_transition`
 */
export async function moveJob(
  queries: Queries,
  job: JobControl,
  { to, message, conditions }: JobChange,
  { time, columns = {}, details }: MoveOptions,
): Promise<JobRow> {
  checkTransition(job.status, to)
  const { verdict: _before, ...kept }: EvaluationJob["status_details"] = JSON.parse(job.status_details)
  const ended = isFinalJobStatus(to) ? endOf({ ...kept, ...details }, to, conditions) : undefined
  const row = await queries
    .updateTable("evaluation_jobs")
    .set({
      status: to,
      status_details: JSON.stringify({ ...kept, ...details, message, ...(ended && { verdict: ended.verdict }) }),
      updated_at: changeTime(time),
      ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
      ...(ended !== undefined
        ? { finished_at: notBefore(sql`coalesce(started_at, created_at)`, time), lease: "", leased_until: 0 }
        : {}),
      ...columns,
    })
    .where("id", "=", job.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (ended !== undefined) {
    const { namespace: workspace, attempt } = row
    await noteJobEnd(queries, job.id, { workspace, status: to, message, attempt, ...ended }, time)
  }
  await addEvents(queries, job.id, [{ kind: "status", data: { status: to, message } }], time)
  return row
}

/** Returns the gates of a job that ends, and the verdict of all of them. */
function endOf(
  { gates = [], samples_failed: failed }: Omit<EvaluationJob["status_details"], "message">,
  status: JobStatus,
  conditions: readonly Condition[] = [],
): Pick<EndedJob, "gates" | "verdict"> {
  return { gates, verdict: jobVerdict({ status, gates, conditions, failed }) }
}

export function jobNotFound(id: string): AssayError {
  return new AssayError("not_found", `Evaluation job '${id}' not found`, { context: { job: id } })
}

/** @throws `job_not_final` */
export function checkFinal({ id, status }: { readonly id: string; readonly status: JobStatus }, what: string): void {
  if (isFinalJobStatus(status)) return
  if (status === "CANCELLING") {
    const message = `Evaluation job '${id}' is CANCELLING and can't be ${what} before it has ended.`
    const remedy = `Wait until it is CANCELLED, which \`assay eval watch ${id}\` shows, and try again.`
    throw new AssayError("job_not_final", message, { context: { job: id, status, remedy } })
  }
  throw new AssayError("job_not_final", `Evaluation job '${id}' is ${status} and can't be ${what}; cancel it first.`, {
    context: { job: id, status },
  })
}
