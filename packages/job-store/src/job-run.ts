import {
  AssayError,
  type Condition,
  type DatasetPin,
  type EvaluationJob,
  type EvaluationResult,
  type JobScope,
  type JobStatus,
} from "@assay/schemas"
import { NO_PATIENCE, type Outages } from "@assay/storage"
import { readDatabaseTime, type Queries, type WriteOptions, changeTime } from "@assay/database"
import type { JobsContext } from "./jobs-context.ts"
import type { ResultsFilesetBody, StagedResults } from "./results-filesets.ts"
import { addEvents, type NewJobEvent } from "./job-events.ts"
import { type JobChange, holdJob, moveJob, type JobControl } from "./move-job.ts"
import type { JobGrants } from "./job-grants.ts"
import { JOB_LEASE_MS } from "./job-lease.ts"
import { recordsOfJob } from "./journal/journal-records.ts"
import { readingShards } from "./shards/job-journal.ts"
import { createJobShards } from "./shards/create-job-shards.ts"
import type { JobShards } from "./shards/sharded-jobs.ts"
import { openTableJournal, type TableJournal } from "./journal/table-journal.ts"

/** Facts that a runner records while it works. */
export interface JobNews {
  readonly status_details?: EvaluationJob["status_details"]
  readonly conditions?: readonly Condition[]
  readonly pins?: readonly DatasetPin[]
  readonly events?: readonly NewJobEvent[]
  /** Rows were journalled since the runner took the job. The job makes progress, so earlier lost runners do not count. */
  readonly has_new_rows?: true
  /** The runner was asked to stop and is releasing the job. */
  readonly is_stopping?: true
}

export interface JobEnd extends Omit<JobNews, "conditions" | "has_new_rows" | "is_stopping">, JobChange {
  readonly to: "COMPLETED" | "FAILED" | "CANCELLED"
  /** Replaces the present result. Absent: the present result stays. */
  readonly result?: EvaluationResult
  /** The new results: the folder of this runner, and the function that makes the fileset show it. */
  readonly results?: Pick<StagedResults, "folder"> & Partial<Pick<StagedResults, "publish">>
}

/** A job that a runner has taken. */
export interface JobRun {
  /** The job when it was taken. */
  readonly job: EvaluationJob
  readonly attempt: {
    /** Counts from 1. A resumed attempt keeps its number. */
    readonly number: number
    readonly scope: JobScope
    readonly grants: JobGrants
  }
  /** How many runners have taken the job, including this one. No two of them have the same number. */
  readonly claim: number
  /** Renews the lease, records the news, and returns the status. Undefined if the lease is lost. */
  beat(news?: JobNews): Promise<JobStatus | undefined>
  /**
   * Opens the job's journal in the database. After the lease is lost, writes fail with `runner_lost`. If the job is cut into shards,
   * it reads their rows, in the order of tasks and shards. Reading outlasts outages if `outages` is given.
   */
  openJournal(outages?: Outages): Promise<TableJournal>
  /** The shards of the job, by which many workers run it. */
  readonly shards: JobShards
  /**
   * Ends the job. A job that is being cancelled ends CANCELLED in any case. Returns undefined, and records nothing, if the
   * lease is lost. It may be called again after an error: an end that was recorded, but not answered, is not recorded twice.
   */
  end(end: JobEnd): Promise<JobStatus | undefined>
  /** The folder for the results of this runner. No other runner of the job writes to it. */
  readonly folder: string
  /** Begins to write results to a folder of a fileset, which is made if it is missing. @throws `runner_lost`, `already_exists` */
  stageResults(fileset: ResultsFilesetBody): Promise<StagedResults>
  /** Releases the job as it is. Another runner can continue it at once. */
  release(): Promise<void>
}

/** Waits for locks: if the end of a job failed, the next runner would answer all its rows again. */
const PATIENTLY: WriteOptions = { patient: true }

type Held = Pick<JobRun, "job" | "attempt" | "claim"> & { readonly lease: string }

/** Runs `work` in a transaction during which the lease can't be taken away. Undefined if it is lost. */
type WhileHeld = <T>(
  work: (queries: Queries, job: JobControl) => Promise<T>,
  options?: WriteOptions,
) => Promise<T | undefined>

/** A job that was taken, with everything that its operations use. */
interface HeldJob extends Pick<JobRun, "claim" | "folder"> {
  readonly context: JobsContext
  readonly id: string
  readonly whileHeld: WhileHeld
}

export function createJobRun(context: JobsContext, { job, attempt, claim, lease }: Held): JobRun {
  const { database } = context
  const { id } = job
  const folder = `attempt-${claim}`
  const whileHeld: WhileHeld = (work, options = {}) => {
    const inside = async (queries: Queries) => {
      const held = await holdJob(queries, database, id)
      return held?.lease === lease ? work(queries, held) : undefined
    }
    return database.write(inside, options)
  }
  const held: HeldJob = { context, id, claim, folder, whileHeld }
  const lost = () => new AssayError("runner_lost", `Another runner has taken the job '${id}'; this one stops.`)

  return {
    job,
    attempt,
    claim,
    folder,
    shards: createJobShards({ context, jobId: id, attempt: attempt.number, whileHeld, lost }),
    beat: (news = {}) => recordBeat(held, news),
    openJournal: (outages = NO_PATIENCE) => openHeldJournal(held, outages),
    end: (end) => recordEnd(held, end),
    stageResults: (fileset) =>
      context.results.stage({
        fileset,
        folder,
        whileHeld: (work) => whileHeld(work, PATIENTLY),
        lost,
      }),

    async release() {
      await whileHeld(
        (queries) =>
          queries.updateTable("evaluation_jobs").set({ lease: "", leased_until: 0 }).where("id", "=", id).execute(),
        PATIENTLY,
      )
    },
  }
}

function recordBeat(
  { context, id, whileHeld }: HeldJob,
  { events = [], has_new_rows: hasNewRows, is_stopping: isStopping, ...news }: JobNews,
): Promise<JobStatus | undefined> {
  return whileHeld(
    async (queries, { status, takeovers }) => {
      const time = context.now()
      await queries
        .updateTable("evaluation_jobs")
        .set({
          leased_until: (await readDatabaseTime(queries, context)) + JOB_LEASE_MS,
          ...(hasNewRows === true && takeovers > 0 ? { takeovers: 0 } : {}),
          ...(isStopping === true ? { is_stopping: 1 } : {}),
          ...columnsOf(news),
          ...(Object.keys(news).length === 0 ? {} : { updated_at: changeTime(time) }),
        })
        .where("id", "=", id)
        .execute()
      await addEvents(queries, id, events, time)
      return status
    },
    // A power cut may lose a beat. The runner reports its news again.
    { durable: false },
  )
}

async function openHeldJournal({ context, id, whileHeld }: HeldJob, outages: Outages): Promise<TableJournal> {
  const records = recordsOfJob(id)
  const journal = await openTableJournal({
    database: context.database,
    outages,
    jobId: id,
    records,
    add: (record) =>
      whileHeld(async (queries, { takeovers }): Promise<true> => {
        await records.add(queries, record)
        // The job makes progress, so it is not the reason why runners were lost.
        if (takeovers > 0) {
          await queries.updateTable("evaluation_jobs").set({ takeovers: 0 }).where("id", "=", id).execute()
        }
        return true
      }),
  })
  return readingShards(journal, { ...context, outages }, id)
}

async function recordEnd(
  { context, id, claim, whileHeld }: HeldJob,
  { to, message, result, results, status_details: details, conditions, events = [], ...news }: JobEnd,
): Promise<JobStatus | undefined> {
  const { database, now } = context
  const recorded = await whileHeld(async (queries, held) => {
    const time = now()
    const last = held.status === "CANCELLING" ? "CANCELLED" : to
    await addEvents(queries, id, events, time)
    if (result !== undefined) await keepResult(queries, id, result)
    await results?.publish?.(queries)
    const columns = {
      ...columnsOf(news),
      ...(result === undefined ? {} : { result: result.id }),
      ...(results === undefined ? {} : { results_folder: results.folder }),
    }
    await moveJob(queries, held, { to: last, message, ...(conditions && { conditions }) }, { time, columns, details })
    return last
  }, PATIENTLY)
  return recorded ?? database.read((queries) => endOfClaim(queries, { id, claim, to, folder: results?.folder }))
}

function columnsOf({ status_details, conditions, pins }: Omit<JobNews, "events">) {
  return {
    ...(status_details === undefined ? {} : { status_details: JSON.stringify(status_details) }),
    ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
    ...(pins === undefined ? {} : { pins: JSON.stringify(pins) }),
  }
}

async function keepResult(queries: Queries, jobId: string, result: EvaluationResult): Promise<void> {
  const text = JSON.stringify(result)
  await queries
    .insertInto("evaluation_results")
    .values({ job_id: jobId, result: text })
    .onConflict((row) => row.column("job_id").doUpdateSet({ result: text }))
    .execute()
}

/** Returns the status with which this claim has ended the job. Undefined if it did not: another runner has the job, or ended it. */
async function endOfClaim(
  queries: Queries,
  {
    id,
    claim,
    to,
    folder,
  }: Pick<JobEnd, "to"> & { readonly id: string; readonly claim: number; readonly folder: string | undefined },
): Promise<JobStatus | undefined> {
  const job = await queries
    .selectFrom("evaluation_jobs")
    .select(["status", "results_folder"])
    .where((row) => row.and({ id, claims: claim, lease: "" }))
    .executeTakeFirst()
  if (job === undefined || (job.status !== to && job.status !== "CANCELLED")) return undefined
  return folder === undefined || job.results_folder === folder ? job.status : undefined
}
