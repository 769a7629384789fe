import {
  AssayError,
  type EvaluationJob,
  type EvaluationResult,
  isFinalJobStatus,
  JOB_STATUSES,
  type JobStatus,
  type UpdateJob,
} from "@assay/schemas"
import { sql } from "kysely"
import { databaseTime, type Database, shareReads, checkWorkspace, changeTime, checkStorable } from "@assay/database"
import type { JobsContext } from "./jobs-context.ts"
import { claimJob } from "./claim-job.ts"
import { createJob } from "./create-job.ts"
import { listEvents } from "./job-events.ts"
import { noticeOfRemoval } from "./job-notices.ts"
import type { JobWatches } from "./job-watches.ts"
import { discardJob, listDiscarded, restoreJob } from "./trash-of-jobs.ts"
import { jobOf, type JobRow } from "./job-row.ts"
import type { Jobs } from "./jobs.ts"
import { checkFinal, holdJob, jobNotFound, moveJob, requireJob } from "./move-job.ts"
import { listJobs } from "./list-jobs.ts"
import { settleLostJobs } from "./lost-jobs.ts"
import { isNotDiscarded } from "./is-discarded.ts"
import { restartJob } from "./restart-job.ts"
import { openJobJournal, removeJournalFiles } from "./shards/job-journal.ts"
import { settleLostShard } from "./shards/settle-lost-shard.ts"
import { listShards } from "./shards/list-shards.ts"
import { joinShards } from "./shards/shard-lease.ts"

const UNENDED = JOB_STATUSES.filter((status) => !isFinalJobStatus(status))

export function createJobs(context: JobsContext, watches: JobWatches): Jobs {
  const { database } = context

  return {
    create: (body) => createJob(context, body),

    async list(query, visible) {
      const { rows, pagination } = await listJobs(database, query, visible)
      const workspace = query.filter?.namespace
      if (rows.length === 0 && workspace !== undefined) {
        await database.read((queries) => checkWorkspace(queries, workspace))
      }
      return { data: rows.map(jobOf), pagination }
    },

    get: (id) => getJob(database, id),

    update: (id, changes) => updateJob(context, id, changes),
    discard: async (id, discarding) => discardJob(context, await getJob(database, id), discarding),
    restore: (workspace, id) => restoreJob(context, workspace, id),
    listDiscarded: (limit) => listDiscarded(context, limit),
    isStored: async (id) => (await findRow(database, id)) !== undefined,
    remove: (id) => removeJob(context, id),
    cancel: (id) => cancelJob(context, id),
    restart: (id, scope) => restartJob(context, id, scope),

    getResult: (id) => findResult(context, id),
    getResultsLocation: (id) => findResultsLocation(database, id),

    openJournal: (id) => openJobJournal(context, id),

    // A notice wakes all viewers of a job in one turn.
    listEvents: shareReads((id, after, limit) => database.read((queries) => listEvents(queries, id, after, limit))),

    watch: watches.watch,

    listRunnable: (limit) => listRunnable(context, limit),
    countUnended: () => countUnended(database),

    settleLost: () => settleLostJobs(context),
    claim: (id) => claimJob(context, id),
    listShards: (id, page) => listShards(database, id, page),
    joinShards: (id, opening) => joinShards(context, id, opening),
    settleLostShard: (id, shard) => settleLostShard(context, id, shard),
  }
}

/** Reads a job, also one that is in the trash. */
function findRow(database: Database, id: string): Promise<JobRow | undefined> {
  return database.read((queries) =>
    queries.selectFrom("evaluation_jobs").selectAll().where("id", "=", id).executeTakeFirst(),
  )
}

async function getJob(database: Database, id: string): Promise<EvaluationJob> {
  const row = await database.read((queries) =>
    queries
      .selectFrom("evaluation_jobs")
      .selectAll()
      .where("id", "=", id)
      .where(isNotDiscarded("evaluation_jobs.id"))
      .executeTakeFirst(),
  )
  if (row === undefined) throw jobNotFound(id)
  return jobOf(row)
}

async function removeJob(context: JobsContext, id: string): Promise<EvaluationJob> {
  const { database } = context
  const found = await findRow(database, id)
  if (found === undefined) throw jobNotFound(id)
  checkFinal(found, "deleted")
  // Before the record: otherwise nothing would refer to the files.
  await removeJournalFiles(context, id)
  const row = await database.write(async (queries) => {
    const job = await holdJob(queries, database, id)
    if (job === undefined) throw jobNotFound(id)
    checkFinal(job, "deleted")
    // Remove the secrets that were made for it.
    await queries.deleteFrom("secrets").where("owner", "=", id).execute()
    await queries
      .deleteFrom("trash_entries")
      .where((entry) => entry.and({ id, kind: "job" }))
      .execute()
    await sql`select ${noticeOfRemoval(id, job.namespace)}`.execute(queries)
    return queries.deleteFrom("evaluation_jobs").where("id", "=", id).returningAll().executeTakeFirstOrThrow()
  })
  return jobOf(row)
}

/** Changes the words about a job. @throws `not_found` */
async function updateJob({ database, now }: JobsContext, id: string, changes: UpdateJob): Promise<EvaluationJob> {
  const { description, project, custom_fields } = changes
  checkStorable({ description: description ?? "", project: project ?? "" })
  const row = await database.write((queries) =>
    queries
      .updateTable("evaluation_jobs")
      .set({
        ...(description === undefined ? {} : { description }),
        ...(project === undefined ? {} : { project }),
        ...(custom_fields === undefined ? {} : { custom_fields: JSON.stringify(custom_fields) }),
        updated_at: changeTime(now()),
      })
      .where("id", "=", id)
      .where(isNotDiscarded("evaluation_jobs.id"))
      .returningAll()
      .executeTakeFirst(),
  )
  if (row === undefined) throw jobNotFound(id)
  return jobOf(row)
}

/** Returns the result of a job; undefined if it has none. @throws `not_found` */
async function findResult({ database }: JobsContext, id: string): Promise<EvaluationResult | undefined> {
  const row = await database.read((queries) =>
    queries.selectFrom("evaluation_results").select("result").where("job_id", "=", id).executeTakeFirst(),
  )
  if (row !== undefined) return JSON.parse(row.result)
  await getJob(database, id)
  return undefined
}

async function findResultsLocation(database: Database, id: string): ReturnType<Jobs["getResultsLocation"]> {
  const row = await database.read((queries) =>
    queries
      .selectFrom("evaluation_jobs as job")
      .leftJoin("filesets as fileset", "fileset.id", "job.results_fileset")
      .select(["job.results_folder", "job.results_fileset", "fileset.workspace", "fileset.name"])
      .where("job.id", "=", id)
      .executeTakeFirst(),
  )
  if (row === undefined) throw jobNotFound(id)
  const { results_folder: folder, results_fileset, workspace, name } = row
  if (results_fileset === "") return { folder, fileset: undefined }
  const isThere = workspace !== null && name !== null
  return { folder, fileset: isThere ? { id: results_fileset, workspace, name } : "removed" }
}

/** Lists jobs that a runner can claim, most urgent first. */
function listRunnable(context: JobsContext, limit: number): ReturnType<Jobs["listRunnable"]> {
  return context.database.read((queries) =>
    queries
      .selectFrom("evaluation_jobs")
      .select(["id", "priority"])
      .where((row) =>
        row.or([
          row("status", "in", ["CREATED", "PENDING", "UNAVAILABLE"]),
          row.and([row("status", "=", "RUNNING"), row("lease", "=", "")]),
          row.and([row("status", "=", "CANCELLING"), row("leased_until", "<=", databaseTime(context))]),
        ]),
      )
      .orderBy("priority", "desc")
      .orderBy("created_at")
      .limit(limit)
      .execute(),
  )
}

async function countUnended(database: Database): Promise<ReadonlyMap<JobStatus, number>> {
  const rows = await database.read((queries) =>
    queries
      .selectFrom("evaluation_jobs")
      .select(["status", (row) => row.fn.countAll<number>().as("count")])
      .where("status", "in", UNENDED)
      .groupBy("status")
      .execute(),
  )
  const found = new Map(rows.map(({ status, count }) => [status, count]))
  return new Map(UNENDED.map((status) => [status, found.get(status) ?? 0]))
}

/** Requests the end of a job. A second request changes nothing. */
async function cancelJob({ database, now }: Pick<JobsContext, "database" | "now">, id: string): Promise<EvaluationJob> {
  const row = await database.write(async (queries) => {
    const time = now()
    const job = await requireJob(queries, database, id)
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
      // No runner has it: the next one ends it. The table of transitions has no shorter way.
      await moveJob(queries, job, { to: "RUNNING", message: "A runner has taken the job to cancel it." }, { time })
    }
    if (status === "RUNNING" || status === "UNAVAILABLE") {
      return moveJob(queries, { ...job, status: "RUNNING" }, { to: "CANCELLING", message: "Asked to stop." }, { time })
    }
    return queries.selectFrom("evaluation_jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
  })
  return jobOf(row)
}
