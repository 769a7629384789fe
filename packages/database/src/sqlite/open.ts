import { closeSync, existsSync, openSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AssayError } from "@assay/schemas"
import { syncFolder } from "@assay/storage"
import type { CompiledQuery } from "kysely"
import { checkMigrated, migrate, needsMigration, type MayMigrate } from "../migrations/migrate.ts"
import { fillSlots, type Database, type SlotValues } from "../database.ts"
import { runQuery, sqliteConnection, sqliteKysely, type SqliteConnection } from "./connection.ts"
import { SQLITE_DIALECT } from "./dialect.ts"
import { createLocalNotices, type LocalNotices } from "../notices.ts"
import { groupReader } from "./group-reader.ts"
import { groupWriter } from "./group-writer.ts"
import { createLogSync } from "./log-sync.ts"
import { createReadMemory } from "./read-memory.ts"
import { createScanThreads } from "./scan-threads.ts"
import { watchFiles } from "./watch-files.ts"

interface SqliteOptions {
  readonly guest?: boolean
  readonly mayMigrate?: MayMigrate
  /** Whether nobody else uses the file: commits do not wait for the disk. Default false. */
  readonly isPrivate?: boolean | undefined
  /** Called when the disk fails to store a commit. The write waits until it succeeds. */
  readonly onDiskFailure?: (error: Error) => void
}

/**
 * Opens the database in `file`. Creates a missing file, except for a guest. There are two connections on this
 * thread: readers see the last commit while the writer works on the next. Scans have connections on threads of their own.
 */
export async function openSqlite(
  file: string,
  { guest = false, mayMigrate = () => true, isPrivate = false, onDiskFailure = () => {} }: SqliteOptions = {},
): Promise<Database> {
  if (!existsSync(file)) createFile(file, guest)
  const notices = createLocalNotices()
  const { writing, reading, log } = await openFiles(file, notices, { guest, mayMigrate })
  const durability = createLogSync({ log, checkpoint: () => checkpoint(writing), onFailure: onDiskFailure })
  const sync = isPrivate ? async () => {} : durability.sync
  const reader = sqliteKysely(reading)
  const memory = createReadMemory(reading)
  const readInGroup = groupReader(reading, () => memory.begin())
  const threads = createScanThreads(file)
  const checkFiles = watchFiles([file, `${file}-wal`])

  return {
    dialect: SQLITE_DIALECT,
    read: (work) => work(reader),
    scan: threads.scan,
    write: groupWriter(writing, sync, notices.deliver, isPrivate ? undefined : () => refuseIfLost(checkFiles)),
    settle: sync,
    prepare(build) {
      const rowsOf = memory.query(build(reader).compile())
      return { run: (values = {}) => readInGroup(() => rowsOf(values)) }
    },
    prepareTogether(build) {
      const [first, second] = build(reader)
      const a = first.compile()
      const b = second.compile()
      const rowsOf = <Row>(query: CompiledQuery<Row>, values: SlotValues) =>
        runQuery(reading, fillSlots(query, values)).rows
      return { run: (values = {}) => readInGroup(() => [rowsOf(a, values), rowsOf(b, values)] as const) }
    },
    shared: undefined,
    notices,
    checkFiles,
    async close() {
      durability.close()
      await threads.close()
      reading.close()
      writing.close()
      await log.close()
    },
  }
}

/** Nobody would find again what is written to a file that has lost its name. @throws `unavailable`, without the path, which clients must not see */
function refuseIfLost(checkFiles: () => void): void {
  try {
    checkFiles()
  } catch (cause) {
    const message =
      "The server has lost its database and writes nothing; its operator finds the reason in /health/ready, and has to stop it."
    throw new AssayError("unavailable", message, { cause })
  }
}

interface OpenFiles {
  readonly writing: SqliteConnection
  readonly reading: SqliteConnection
  /** The log of the database, to wait for the disk. */
  readonly log: FileHandle
}

/** Opens both connections and the log. If one can't be opened, the others are closed. */
async function openFiles(
  file: string,
  notices: LocalNotices,
  options: Required<Pick<SqliteOptions, "guest" | "mayMigrate">>,
): Promise<OpenFiles> {
  const opened: { close: () => unknown }[] = []
  const keep = <One extends { close: () => unknown }>(one: One): One => {
    opened.push(one)
    return one
  }
  try {
    const writing = keep(await openWriter(file, notices, options))
    // From here on, `beginImmediate` does the waiting.
    writing.run("pragma busy_timeout = 0")
    // A commit is in the log at once. The group writer then waits for the disk, and no request does.
    writing.run("pragma synchronous = normal")
    const log = keep(await open(`${file}-wal`, "r+"))
    // The names of the database and of its log. SQLite makes them durable only when it waits for the disk itself.
    await syncFolder(dirname(file))
    const reading = keep(connect(file))
    reading.run("pragma query_only = on")
    return { writing, reading, log }
  } catch (error) {
    for (const one of opened.toReversed()) await one.close()
    throw error
  }
}

/** Creates a missing file. Only SQLite may open an existing one: closing another descriptor would end the locks of this process on it. */
function createFile(file: string, guest: boolean): void {
  if (guest) throw new Error("there is no such file.")
  // Only the owner may read it. SQLite gives its other files the same mode.
  closeSync(openSync(file, "a", 0o600))
}

/** Opens the connection that writes, and migrates the database. */
async function openWriter(
  file: string,
  notices: LocalNotices,
  { guest, mayMigrate }: Required<Pick<SqliteOptions, "guest" | "mayMigrate">>,
): Promise<SqliteConnection> {
  const writing = connect(file, (raw) => {
    // The function of PostgreSQL, for the one server of this database.
    raw.function("pg_notify", { directOnly: true }, (_channel, text) => {
      notices.add(String(text))
      return null
    })
  })
  try {
    if (guest) await checkMigrated(sqliteKysely(writing))
    else if (await needsMigration(sqliteKysely(writing), { mayMigrate, isShared: false }))
      await migrate(sqliteKysely(writing), SQLITE_DIALECT)
  } catch (error) {
    writing.close()
    throw error
  }
  return writing
}

/** Copies the whole log into the database file and waits for the disk. Returns false if a reader or a writer is in the way. */
function checkpoint(connection: SqliteConnection): boolean {
  const { rows } = connection.run("pragma wal_checkpoint(full)")
  const { busy, log, checkpointed } = rows[0] as { busy: number; log: number; checkpointed: number }
  return busy === 0 && log === checkpointed
}

/** Connects to a file. The commit of a migration waits for the disk, because a power cut must not lose it. */
function connect(file: string, prepare: (raw: DatabaseSync) => void = () => {}): SqliteConnection {
  const raw = new DatabaseSync(file, { timeout: 5000 })
  prepare(raw)
  const connection = sqliteConnection(raw)
  connection.run("pragma journal_mode = wal")
  connection.run("pragma synchronous = full")
  connection.run("pragma foreign_keys = on")
  connection.run("pragma cache_size = -65536")
  return connection
}
