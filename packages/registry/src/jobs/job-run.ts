import {
  AssayError,
  type Condition,
  type DatasetPin,
  type EvaluationJob,
  type EvaluationResult,
  type JobScope,
  type JobStatus,
} from "@assay/schemas"
import { readDatabaseTime } from "../database/clock.ts"
import type { Queries, WriteOptions } from "../database/database.ts"
import { changeTime } from "../records/write-records.ts"
import { addEvents, type NewJobEvent } from "./job-events.ts"
import type { JobChange, JobGrants } from "./jobs.ts"
import { holdJob, moveJob, type JobControl } from "./move-job.ts"
import { stageResults, type ResultsFilesetBody, type StagedResults, type StagingContext } from "./staged-results.ts"
import { openTableJournal, type TableJournal } from "./table-journal.ts"

/** Milliseconds. A runner that is silent for so long is lost. */
export const JOB_LEASE_MS = 15_000

/** What a runner keeps on record while it works. */
export interface JobNews {
  readonly status_details?: EvaluationJob["status_details"]
  readonly conditions?: readonly Condition[]
  readonly pins?: readonly DatasetPin[]
  readonly events?: readonly NewJobEvent[]
  /** That rows were journalled since the job was taken up: it gets on, so runners that were lost before don't count. */
  readonly has_new_rows?: true
  /** That the runner is told to stop, and puts the job down. */
  readonly is_stopping?: true
}

export interface JobEnd extends Omit<JobNews, "conditions" | "has_new_rows" | "is_stopping">, JobChange {
  readonly to: "COMPLETED" | "FAILED" | "CANCELLED"
  /** Replaces the one that there is. Absent: that one stays. */
  readonly result?: EvaluationResult
  /** The results that count from now on: a folder of this runner's own, and what makes a fileset show it. */
  readonly results?: Pick<StagedResults, "folder"> & Partial<Pick<StagedResults, "publish">>
}

/** A job that somebody has taken up. */
export interface JobRun {
  /** As it was then. */
  readonly job: EvaluationJob
  readonly round: {
    readonly attempt: number
    readonly scope: JobScope
    readonly grants: JobGrants
  }
  /** How often runners have taken the job up, this one included: no two of them share a number. */
  readonly claim: number
  /** Holds the lease for its whole time again, keeps the news, and tells the status. Undefined where the lease is lost. */
  beat(news?: JobNews): Promise<JobStatus | undefined>
  /** The job's journal in the database. What is written to it once the lease is lost is refused with `runner_lost`. */
  openJournal(): Promise<TableJournal>
  /**
   * Ends the job; one that was to be cancelled ends CANCELLED, whatever it came to. Undefined where the lease is lost:
   * nothing is kept then.
   */
  end(end: JobEnd): Promise<JobStatus | undefined>
  /** The folder that no other runner of the job writes to, for its results. */
  readonly folder: string
  /** Begins to write results aside, to a fileset that is made if it is missing. @throws `runner_lost`, `already_exists` */
  stageResults(fileset: ResultsFilesetBody): Promise<StagedResults>
  /** Puts the job down as it stands: the next runner goes on at once. */
  release(): Promise<void>
}

/** The end of a job is worth waiting for: who fails here would answer all its rows again. */
const PATIENTLY: WriteOptions = { patient: true }

type RunContext = StagingContext
type Held = Pick<JobRun, "job" | "round" | "claim"> & { readonly lease: string }

export function createJobRun(context: RunContext, { job, round, claim, lease }: Held): JobRun {
  const { database, now } = context
  const { id } = job
  const folder = `attempt-${claim}`

  /** Runs `work` in a transaction in which nobody takes the lease away. */
  function whileHeld<T>(
    work: (queries: Queries, job: JobControl) => Promise<T>,
    options: WriteOptions = {},
  ): Promise<T | undefined> {
    const inside = async (queries: Queries) => {
      const held = await holdJob(queries, database, id)
      return held?.lease === lease ? work(queries, held) : undefined
    }
    return database.write(inside, options)
  }

  return {
    job,
    round,
    claim,
    folder,

    // A power cut may take a beat back: its news are told again.
    beat: ({ events = [], has_new_rows = false, is_stopping = false, ...news } = {}) =>
      whileHeld(
        async (queries, { status, takeovers }) => {
          const time = now()
          await queries
            .updateTable("evaluation_jobs")
            .set({
              leased_until: (await readDatabaseTime(queries, context)) + JOB_LEASE_MS,
              ...(has_new_rows && takeovers > 0 ? { takeovers: 0 } : {}),
              ...(is_stopping ? { is_stopping: 1 } : {}),
              ...columnsOf(news),
              ...(Object.keys(news).length === 0 ? {} : { updated_at: changeTime(time) }),
            })
            .where("id", "=", id)
            .execute()
          await addEvents(queries, id, events, time)
          return status
        },
        { durable: false },
      ),

    openJournal: () =>
      openTableJournal({
        database,
        jobId: id,
        whileHeld: (work) =>
          whileHeld(async (queries, { takeovers }) => {
            const done = await work(queries)
            // A job that gets new rows is not one that ends its runners.
            if (takeovers > 0) {
              await queries.updateTable("evaluation_jobs").set({ takeovers: 0 }).where("id", "=", id).execute()
            }
            return done
          }),
      }),

    end: ({ to, message, result, results, status_details: details, events = [], ...news }) =>
      whileHeld(async (queries, held) => {
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
        const told = details === undefined ? {} : { details }
        await moveJob(queries, held, { to: last, message }, { time, columns, ...told })
        return last
      }, PATIENTLY),

    stageResults: (fileset) =>
      stageResults({
        context,
        fileset,
        folder,
        whileHeld: (work) => whileHeld(work, PATIENTLY),
        lost: () => new AssayError("runner_lost", `Another runner has taken up the job '${id}'; this one stops.`),
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
