import type { FilesetUsage } from "@assay/schemas"
import { sql } from "kysely"
import type { Database, Queries } from "@assay/database"

/** A fileset whose files the triggers count. */
const IS_COUNTED = sql<boolean>`(filesets.owns_bytes = 1 and filesets.storage_type = 'local')`

/** Records what a complete listing of a fileset found. Ignored for a fileset that is counted, and for one that is gone. */
export async function recordUsage(queries: Queries, filesetId: string, { files, bytes }: FilesetUsage): Promise<void> {
  await sql`insert into fileset_usage (fileset_id, files, bytes)
    select id, ${files}, ${bytes} from filesets where id = ${filesetId} and not ${IS_COUNTED}
    on conflict (fileset_id) do update set files = excluded.files, bytes = excluded.bytes`.execute(queries)
}

/** Forgets what a listing found, because a file has changed. Counted filesets keep their numbers. */
export async function forgetUsage(database: Database, filesetId: string): Promise<void> {
  const recorded = await database.read((queries) =>
    queries.selectFrom("fileset_usage").select("files").where("fileset_id", "=", filesetId).executeTakeFirst(),
  )
  if (recorded === undefined) return
  await database.write(
    (queries) =>
      sql`delete from fileset_usage where fileset_id = ${filesetId} and not exists
      (select 1 from filesets where id = ${filesetId} and ${IS_COUNTED})`.execute(queries),
    { durable: false },
  )
}

/** Counts the files of a fileset again, after readers see another folder of it. */
export async function countAgain(queries: Queries, filesetId: string, folder: string): Promise<void> {
  const prefix = `${folder}/`
  await sql`insert into fileset_usage (fileset_id, files, bytes)
    select filesets.id, count(file_digests.path), coalesce(sum(file_digests.size), 0)
    from filesets left join file_digests on file_digests.fileset_id = filesets.id
      and substr(file_digests.path, 1, ${prefix.length}) = ${prefix}
    where filesets.id = ${filesetId} and ${IS_COUNTED}
    group by filesets.id
    on conflict (fileset_id) do update set files = excluded.files, bytes = excluded.bytes`.execute(queries)
}

/** Returns the usage of filesets by id, in one query. A fileset whose usage is not known is absent. */
export async function readUsage(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FilesetUsage>> {
  if (ids.length === 0) return new Map()
  const rows = await database.read((queries) =>
    queries
      .selectFrom("filesets")
      .leftJoin("fileset_usage", "fileset_usage.fileset_id", "filesets.id")
      .select(["filesets.id", "fileset_usage.files", "fileset_usage.bytes", IS_COUNTED.as("is_counted")])
      .where("filesets.id", "in", ids)
      .execute(),
  )
  return new Map(
    rows.flatMap(({ id, files, bytes, is_counted }) => {
      // The triggers make a row with the first file.
      if (files === null || bytes === null) return is_counted ? [[id, { files: 0, bytes: 0 }] as const] : []
      return [[id, { files, bytes }] as const]
    }),
  )
}

/** Returns the usage of filesets for people: with the bytes that their history keeps. */
export async function readWholeUsage(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FilesetUsage>> {
  const usage = await readUsage(database, ids)
  if (usage.size === 0) return usage
  const kept = await database.read((queries) =>
    queries
      .selectFrom("kept_files")
      .select(["fileset_id", sql<number | string>`sum(size)`.as("bytes")])
      .where("fileset_id", "in", [...usage.keys()])
      .where("gone_at", "is", null)
      .groupBy("fileset_id")
      .execute(),
  )
  const bytesOf = new Map(kept.map(({ fileset_id, bytes }) => [fileset_id, Number(bytes)]))
  return new Map(
    [...usage].map(([id, found]) => {
      const kept_bytes = bytesOf.get(id) ?? 0
      return [id, kept_bytes === 0 ? found : { ...found, kept_bytes }] as const
    }),
  )
}
