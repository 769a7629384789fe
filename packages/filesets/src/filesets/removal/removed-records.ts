import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import type { Queries } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"

/**
 * Deletes the records of the files of removed filesets in the background, in small groups, so that no other request waits long.
 * The transaction that removes a fileset notes it, so that a crash loses none. Servers that share the database share the work.
 */
export interface RemovedRecords {
  /** Starts to delete, unless it has started. */
  wake(): void
}

type RecordsContext = Pick<FilesetsContext, "database" | "background">

/** Milliseconds. Removals of other servers, and failed attempts, are found after this time. */
const LOOK_MS = 60_000

/** Milliseconds between two groups, for other requests. */
const PAUSE_MS = 5

export function createRemovedRecords(context: RecordsContext): RemovedRecords {
  const { background } = context
  let isWoken = false
  let isRunning = false

  function wake(): void {
    isWoken = true
    if (isRunning) return
    isRunning = true
    background.start("delete the records of removed filesets", async (signal) => {
      try {
        while (isWoken) {
          isWoken = false
          await deleteAll(context, signal)
        }
      } finally {
        isRunning = false
      }
    })
  }

  return { wake }
}

/** Deletes what an earlier server left, now and every minute. */
export function watchRemovedRecords({ background, removedRecords }: FilesetsContext): void {
  background.start("look for records of removed filesets", async (signal) => {
    for (;;) {
      removedRecords.wake()
      await setTimeout(LOOK_MS, undefined, { signal, ref: false })
    }
  })
}

async function deleteAll(context: RecordsContext, signal: AbortSignal): Promise<void> {
  const { database } = context
  for (let after = ""; ;) {
    signal.throwIfAborted()
    const next = await database.read((queries) =>
      queries
        .selectFrom("removed_fileset_records")
        .select("fileset_id")
        .where("fileset_id", ">", after)
        .orderBy("fileset_id")
        .limit(1)
        .executeTakeFirst(),
    )
    if (next === undefined) return
    after = next.fileset_id
    await deleteRecords(context, next.fileset_id, signal)
  }
}

/** A table with records, the column after the id of the fileset in its key, and the number of rows that take a few milliseconds. */
interface RecordTable {
  readonly name: "file_digests" | "content_digests" | "file_piece_uses" | "file_pieces" | "file_trees"
  readonly key: "path" | "digest" | "commit_id"
  readonly group: number
}

/** In an order in which nothing is deleted that another row references. */
const TABLES: readonly RecordTable[] = [
  { name: "file_digests", key: "path", group: 1000 },
  // Each row also changes a page of the index of digests.
  { name: "content_digests", key: "path", group: 250 },
  { name: "file_piece_uses", key: "digest", group: 1000 },
  { name: "file_pieces", key: "digest", group: 16 },
  { name: "file_trees", key: "commit_id", group: 1 },
]

/** Deletes the records of a removed fileset. Ends early if another server deletes them. */
async function deleteRecords({ database }: RecordsContext, filesetId: string, signal: AbortSignal): Promise<void> {
  const { forUpdateOfFree } = database.dialect
  const lock = (queries: Queries) =>
    queries
      .selectFrom("removed_fileset_records")
      .select("fileset_id")
      .where("fileset_id", "=", filesetId)
      .modifyEnd(forUpdateOfFree)
      .executeTakeFirst()

  for (const table of TABLES) {
    for (let after: string | undefined = ""; after !== undefined;) {
      signal.throwIfAborted()
      const from: string = after
      const step = await database.write(
        async (queries) =>
          (await lock(queries)) && { last: await deleteGroup(queries, { table, filesetId, after: from }) },
        { durable: false },
      )
      if (step === undefined) return
      after = step.last
      if (after !== undefined) await setTimeout(PAUSE_MS, undefined, { signal, ref: false })
    }
  }
  await database.write(
    (queries) => queries.deleteFrom("removed_fileset_records").where("fileset_id", "=", filesetId).execute(),
    { durable: false },
  )
}

interface RecordGroup {
  readonly table: RecordTable
  readonly filesetId: string
  readonly after: string
}

/**
 * Deletes some records after a key. Returns the key of the last one, or undefined if there are no more. Later groups begin after
 * it: until PostgreSQL frees their space, deleted rows cost time if they are looked for again.
 */
async function deleteGroup(queries: Queries, { table, filesetId, after }: RecordGroup): Promise<string | undefined> {
  const name = sql.table(table.name)
  const key = sql.ref(table.key)
  const isLater = sql`fileset_id = ${filesetId} and ${key} > ${after}`
  const { rows } = await sql<{ last: string }>`select ${key} as last from ${name} where ${isLater}
    order by ${key} limit 1 offset ${table.group - 1}`.execute(queries)
  const last = rows[0]?.last
  const isInGroup = last === undefined ? isLater : sql`${isLater} and ${key} <= ${last}`
  await sql`delete from ${name} where ${isInGroup}`.execute(queries)
  return last
}
