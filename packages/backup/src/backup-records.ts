import { closeSync, openSync } from "node:fs"
import { backup, DatabaseSync } from "node:sqlite"
import { AssayError } from "@assay/schemas"
import type { FileVersion } from "@assay/storage"
import { sql } from "kysely"
import { type Database, openDatabase, type DatabaseOptions, readPages } from "@assay/database"
import { openLocalFilesets } from "@assay/filesets"

export interface BackupFileset {
  readonly id: string
  readonly workspace: string
  readonly name: string
  /** The folder of its files, below the folder of its workspace. */
  readonly folder: string
}

/** A version of a file in a backup, with its recorded digest. */
export interface BackedUpFile extends FileVersion {
  readonly filesetId: string
  readonly sha256: string
}

/** The records of the server that a backup needs. */
export interface BackupRecords {
  /** Lists the filesets on the local default storage, ordered by id. */
  filesets(): AsyncIterable<BackupFileset>
  /** Counts the filesets on other storage, by storage type. */
  countElsewhere(): Promise<readonly { readonly storage_type: string; readonly filesets: number }[]>
  countSecrets(): Promise<number>
  digestOf(filesetId: string, version: FileVersion): Promise<string | undefined>
  /** Returns one sentence for each kind of damage in the database. */
  check(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The records in the archive. They are changed to describe exactly the files in the archive. */
export interface CopiedRecords extends BackupRecords {
  /** Records files as files of the backup. */
  keep(files: readonly BackedUpFile[]): Promise<void>
  /** Removes the digests of all files that were not kept, and what a backup does not have: the read cache, the trash, and the bytes of former files. */
  finish(at: number): Promise<void>
}

/** In one step: otherwise SQLite begins again whenever another process commits. Readers do not block the writer. */
const ALL_PAGES = 2 ** 31 - 1

/** Copies the SQLite database in `from`, as of one moment, to the new file `to`. A server may be using the database. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  closeSync(openSync(to, "wx", 0o600))
  const source = new DatabaseSync(from, { timeout: 30_000 })
  try {
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
}

/** Opens the records of a database. A server may be using it. @throws `bad_settings` */
export async function openBackupRecords(options: DatabaseOptions): Promise<BackupRecords> {
  return recordsOf(await openDatabase(options, () => {}, { guest: true }))
}

/**
 * Opens the copy of a database in `file`.
 * @param live the records of the server, for the digests of files that were written after the copy was made
 */
export async function openCopiedRecords(file: string, live: BackupRecords): Promise<CopiedRecords> {
  const database = await openDatabase({ kind: "sqlite", file, isPrivate: true }, () => {}, { guest: true })
  const records = recordsOf(database)
  await database.write((queries) =>
    sql`create table backup_files (fileset_id text, path text, size integer, mtime_ns text, sha256 text)`.execute(
      queries,
    ),
  )
  return {
    ...records,
    digestOf: async (id, version) => (await records.digestOf(id, version)) ?? live.digestOf(id, version),
    async keep(files) {
      await database.write(async (queries) => {
        for (const { filesetId, path, size, mtimeNs, sha256 } of files) {
          await sql`insert into backup_files values (${filesetId}, ${path}, ${size}, ${String(mtimeNs)}, ${sha256})`.execute(
            queries,
          )
        }
      })
    },
    async finish(at) {
      await database.write(async (queries) => {
        await sql`delete from file_digests where fileset_id in
          (select id from filesets where owns_bytes = 1 and storage_type = 'local')`.execute(queries)
        await sql`insert into file_digests (fileset_id, path, size, mtime_ns, sha256)
          select fileset_id, path, size, mtime_ns, sha256 from backup_files`.execute(queries)
        await sql`drop table backup_files`.execute(queries)
        await queries.deleteFrom("cache_entries").execute()
        // Their bytes are not in the backup.
        await queries.deleteFrom("uploads").execute()
        await sql`insert into removed_fileset_records (fileset_id) select id from trash_entries where kind <> 'job'
          on conflict do nothing`.execute(queries)
        await sql`delete from evaluation_jobs where id in (select id from trash_entries where kind = 'job')`.execute(
          queries,
        )
        await queries.deleteFrom("trash_entries").execute()
        await queries
          .updateTable("kept_files")
          .set({ gone_at: at, gone_why: "backup" })
          .where("gone_at", "is", null)
          .where(
            "fileset_id",
            "in",
            queries
              .selectFrom("filesets")
              .select("id")
              .where((row) => row.and({ owns_bytes: 1, storage_type: "local" })),
          )
          .execute()
        await queries.updateTable("cache_totals").set({ bytes: 0 }).execute()
      })
    },
  }
}

function recordsOf(database: Database): BackupRecords {
  const { list, digestOf, check } = openLocalFilesets(database)
  return {
    filesets: list,
    digestOf,
    check,
    countElsewhere: () =>
      database.read((queries) =>
        queries
          .selectFrom("filesets")
          .select(["storage_type", sql<number>`count(*)`.as("filesets")])
          .where((row) => row.not(row.and({ owns_bytes: 1, storage_type: "local" })))
          .groupBy("storage_type")
          .orderBy("storage_type")
          .execute(),
      ),
    async countSecrets() {
      const row = await database.read((queries) =>
        queries
          .selectFrom("secrets")
          .select(sql<number>`count(*)`.as("total"))
          .executeTakeFirst(),
      )
      return row?.total ?? 0
    },
    close: () => database.close(),
  }
}

/** Returns the size and time of a restored file, or undefined if it is missing. */
type StatRestoredFile = (
  fileset: BackupFileset,
  path: string,
) => { readonly size: number; readonly mtimeNs: bigint } | undefined

const BATCH = 1000

/**
 * Migrates a restored database to the schema of this version, and records the modification times that the restored files
 * have now. Digests are recorded by modification time, and a restore can't set that time to the nanosecond.
 * @throws `bad_backup` if a recorded file was not in the archive
 */
export async function restampRecords(file: string, stat: StatRestoredFile): Promise<void> {
  const database = await openDatabase({ kind: "sqlite", file, isPrivate: true }, () => {})
  try {
    for await (const fileset of recordsOf(database).filesets()) await restampFileset(database, fileset, stat)
  } finally {
    await database.close()
  }
}

async function restampFileset(database: Database, fileset: BackupFileset, stat: StatRestoredFile): Promise<void> {
  const pages = readPages<{ path: string; size: number; mtime_ns: string }>(
    (last, limit) =>
      database.read((queries) =>
        queries
          .selectFrom("file_digests")
          .select(["path", "size", "mtime_ns"])
          .where("fileset_id", "=", fileset.id)
          .where("path", ">", last?.path ?? "")
          .orderBy("path")
          .limit(limit)
          .execute(),
      ),
    BATCH,
  )
  for await (const rows of pages) {
    await database.write(async (queries) => {
      for (const { path, size, mtime_ns } of rows) {
        const found = stat(fileset, path)
        if (found?.size !== size) throw notInArchive(fileset, path)
        await queries
          .updateTable("file_digests")
          .set({ mtime_ns: String(found.mtimeNs) })
          .where((row) => row.and({ fileset_id: fileset.id, path, size, mtime_ns }))
          .execute()
      }
    })
  }
}

function notInArchive({ workspace, name }: BackupFileset, path: string): AssayError {
  const message = `The backup has a record of '${workspace}/${name}#${path}' without the file: use another backup.`
  return new AssayError("bad_backup", message)
}
