import { AssayError, type EvaluationJob, formatTimestamp, secretsNamedIn } from "@assay/schemas"
import { sql } from "kysely"
import { parseTrashedJob, readSteadyTime, type Queries, type TrashedJob, notInTrash } from "@assay/database"
import { KEY_SECRET_PREFIX } from "./key-secret-prefix.ts"
import type { JobKeeping } from "./results-filesets.ts"
import { addEvents } from "./job-events.ts"
import { noticeOfRemoval } from "./job-notices.ts"
import type { JobsContext } from "./jobs-context.ts"
import { jobOf } from "./job-row.ts"
import type { DiscardedJob } from "./jobs.ts"
import { checkFinal, requireJob } from "./move-job.ts"

export interface Discarding {
  /** The caller who removes the job. Empty: nobody signed in. */
  readonly by: string
  /** The name of the fileset that has only the results of the job, in its workspace. Undefined: its results are elsewhere, and stay. */
  readonly resultsFileset: string | undefined
  /** Whether the trash only keeps its record, which nobody sees, until it is deleted with everything else. Default false. */
  readonly isPermanent?: boolean
}

/**
 * Moves a job that has ended into the trash, with the fileset of its results. Its record and its rows stay where they are, and every
 * read leaves them out. The secrets that were made from its inline keys are deleted at once. A permanent removal deletes the fileset of its
 * results at once, and lets `listDiscarded` name the job.
 */
export async function discardJob(
  context: JobsContext,
  { id, namespace }: Pick<EvaluationJob, "id" | "namespace">,
  { by, resultsFileset = "", isPermanent = false }: Discarding,
): Promise<DiscardedJob | undefined> {
  if (context.trashMs === 0 && !isPermanent) return undefined
  return context.results.remove(
    { workspace: namespace, name: resultsFileset },
    {
      by: isPermanent ? undefined : by,
      job: id,
      async after(queries, results, keeping) {
        if (!isPermanent) return keeping && discardIn(queries, context, { id, keeping, results })
        const at = await readSteadyTime(queries, context)
        return discardIn(queries, context, { id, keeping: { by, at, until: 0 }, results: null })
      },
    },
  )
}

interface DiscardedParts {
  readonly id: string
  readonly keeping: JobKeeping
  readonly results: string | null
}

async function discardIn(
  queries: Queries,
  { database }: JobsContext,
  { id, keeping: { by, at, until }, results }: DiscardedParts,
): Promise<DiscardedJob> {
  const { namespace: workspace, ...job } = await requireJob(queries, database, id)
  checkFinal(job, "deleted")
  const { description } = await queries
    .selectFrom("evaluation_jobs")
    .select("description")
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  const held =
    results === null
      ? undefined
      : await queries.selectFrom("trash_entries").select("bytes").where("id", "=", results).executeTakeFirst()
  await queries.deleteFrom("secrets").where("owner", "=", id).execute()
  await queries
    .insertInto("trash_entries")
    .values({
      id,
      kind: "job",
      workspace,
      name: id,
      removed_at: at,
      removed_by: by,
      removed_until: until,
      bytes: held === undefined ? 0 : held.bytes,
      record: JSON.stringify({ description, results } satisfies TrashedJob),
    })
    .execute()
  await sql`select ${noticeOfRemoval(id, workspace)}`.execute(queries)
  return { restorable_until: formatTimestamp(until) }
}

/**
 * Takes a job out of the trash, with the fileset of its results.
 * @throws `not_found`; `already_exists` if another fileset has the name of that fileset
 */
export async function restoreJob(context: JobsContext, workspace: string, id: string): Promise<EvaluationJob> {
  const { database } = context
  let results: string | null = null
  try {
    return await database.write(async (queries) => {
      const entry = await queries
        .selectFrom("trash_entries")
        .selectAll()
        .where((row) => row.and({ id, workspace, kind: "job" }))
        .modifyEnd(database.dialect.forUpdate)
        .executeTakeFirst()
      if (entry === undefined || entry.removed_until <= (await readSteadyTime(queries, context))) {
        throw notInTrash({ workspace, id })
      }
      results = parseTrashedJob(entry.record).results
      if (results !== null) await context.results.restoreIn(queries, { workspace, id: results })
      await queries.deleteFrom("trash_entries").where("id", "=", id).execute()
      const restored = { kind: "log", data: { level: "info", message: "Restored from the trash." } } as const
      await addEvents(queries, id, [restored], context.now())
      return jobOf(
        await queries.selectFrom("evaluation_jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
      )
    })
  } catch (error) {
    if (results !== null) await context.results.settleRestored(results).catch(() => {})
    if (database.dialect.failureOf(error) === "taken") throw nameTaken(workspace, id)
    throw error
  }
}

function nameTaken(workspace: string, id: string): AssayError {
  const message = `The job '${id}' can't be restored, because another fileset of workspace '${workspace}' has the name of the fileset with its results; rename or delete that one.`
  return new AssayError("already_exists", message, { context: { workspace, job: id } })
}

/** Lists jobs of the trash that are to be deleted for good, because their time is over or because a caller has asked for it. */
export async function listDiscarded(context: JobsContext, limit: number): Promise<readonly EvaluationJob[]> {
  const rows = await context.database.read(async (queries) => {
    const time = await readSteadyTime(queries, context)
    return queries
      .selectFrom("evaluation_jobs")
      .selectAll("evaluation_jobs")
      .innerJoin("trash_entries as entry", "entry.id", "evaluation_jobs.id")
      .where("entry.kind", "=", "job")
      .where("entry.removed_until", "<=", time)
      .orderBy("entry.removed_until")
      .limit(limit)
      .execute()
  })
  return rows.map(jobOf)
}

/**
 * Checks that the secrets made from inline keys of a job are there. They were deleted if the job was in the trash.
 * @throws `secret_not_readable`
 */
export async function checkKeysKept(queries: Queries, id: string): Promise<void> {
  const row = await queries
    .selectFrom("evaluation_jobs")
    .select(["namespace", "target", "config"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  if (!row.target.includes(KEY_SECRET_PREFIX) && !row.config.includes(KEY_SECRET_PREFIX)) return
  for (const { workspace, name } of secretsNamedIn([JSON.parse(row.target), JSON.parse(row.config)], row.namespace)) {
    if (!name.startsWith(KEY_SECRET_PREFIX)) continue
    const found = await queries
      .selectFrom("secrets")
      .select("name")
      .where((secret) => secret.and({ workspace, name }))
      .executeTakeFirst()
    if (found !== undefined) continue
    const message = `The job '${id}' was launched with an inline key, which was deleted with it, and the trash keeps no keys; launch it again with the key.`
    throw new AssayError("secret_not_readable", message, { context: { job: id, secret: `${workspace}/${name}` } })
  }
}
