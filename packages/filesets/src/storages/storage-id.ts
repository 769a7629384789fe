import { existsSync, statSync } from "node:fs"
import { AssayError, isAssayError, type StorageConfiguration } from "@assay/schemas"
import { openLocalStorage, parseFilePath, type Storage } from "@assay/storage"
import type { Queries, DatabaseOptions } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import type { DefaultStorage } from "./storage-configuration.ts"

/** The file at the root of the default storage with the id that the database has, too. */
export const STORAGE_ID_PATH = "assay-storage-id"

const MARK = parseFilePath(STORAGE_ID_PATH)
const MAX_ID_BYTES = 200

interface SettleContext extends Pick<FilesetsContext, "database" | "defaultStorage" | "newId"> {
  readonly openDefaultStorage: () => Promise<Storage>
  /** Whether nothing may be written, because a server may be using the database. */
  readonly guest: boolean
}

/**
 * Checks that the default storage and the database belong together: both hold the same id. A new pair gets one, and so does a pair that an
 * older version made. The id is recorded first and marked on the storage afterwards, so that a start that is killed in between can be repeated.
 * @throws `bad_settings` if they do not belong together; the errors of the storage
 */
export async function settleStorageId(context: SettleContext, signal?: AbortSignal): Promise<void> {
  const { database, defaultStorage, guest } = context
  const aborting = signal === undefined ? {} : { signal }
  const storage = await context.openDefaultStorage()
  const marked = await readMark(storage, aborting)
  const recorded = await database.read((queries) => findRecord(queries, defaultStorage.type))
  if (recorded?.id === marked && recorded?.is_marked === 1) return
  if (marked !== undefined && recorded !== undefined && recorded.id !== marked) {
    throw otherStorage(defaultStorage, { marked, recorded: recorded.id })
  }
  if (recorded?.is_marked === 1 && (await database.read((queries) => isUsed(queries, defaultStorage)))) {
    throw lostStorage(defaultStorage, recorded.id)
  }
  // A database with records and without an id is that of an older version, or a copy from before the upgrade.
  if (await database.read(isEmpty)) {
    const isForeign = marked === undefined ? await holdsFiles(storage, aborting) : recorded === undefined
    if (isForeign) throw lostDatabase(defaultStorage)
  }
  if (guest) return
  const id = recorded?.id ?? (await record(context, marked))
  if (marked === undefined) await storage.write(MARK, oneLine(id), aborting)
  await database.write((queries) =>
    queries.updateTable("storage_ids").set({ is_marked: 1 }).where("storage_type", "=", defaultStorage.type).execute(),
  )
}

/** Milliseconds that a start waits for a remote default storage. */
const SETTLE_MS = 3000

/**
 * Checks that the default storage belongs to the database. A remote storage may be out of reach now, or its secrets may be set later: then
 * the server is not ready until it has been checked.
 * @throws `bad_settings` if they do not belong together
 */
export async function settleAtStart(
  context: Omit<SettleContext, "guest"> & Pick<FilesetsContext, "log">,
): Promise<void> {
  const settling = { ...context, guest: false }
  if (context.defaultStorage.type === "local") return settleStorageId(settling)
  try {
    await settleStorageId(settling, AbortSignal.timeout(SETTLE_MS))
  } catch (error) {
    if (isAssayError(error, "bad_settings")) throw error
    if (isAssayError(error, "secret_not_readable")) return
    context.log.warn({ err: error }, "The default storage can't be compared with the database yet")
  }
}

/**
 * Checks, before a database is created beside a local default storage, that the storage holds nothing that another database recorded.
 * @throws `bad_settings`
 */
export async function checkDatabaseNotLost(
  options: DatabaseOptions,
  configuration: StorageConfiguration,
): Promise<void> {
  if (options.kind !== "sqlite" || !isMissing(options.file) || configuration.type !== "local") return
  const storage = openLocalStorage(configuration)
  const log = `${options.file}-wal`
  if (!isMissing(log)) {
    const message = `The database '${options.file}' is missing, but its log '${log}' is there: put the database back, or restore a backup with 'assay restore --force'. To start empty, move the log away.`
    throw new AssayError("bad_settings", message)
  }
  if ((await readMark(storage, {})) !== undefined || (await holdsFiles(storage, {}))) throw lostDatabase(configuration)
}

/** Returns whether there is no file with a byte. */
function isMissing(file: string): boolean {
  return !existsSync(file) || statSync(file).size === 0
}

interface Aborting {
  readonly signal?: AbortSignal
}

async function readMark(storage: Storage, aborting: Aborting): Promise<string | undefined> {
  try {
    const { bytes } = await storage.read(MARK, aborting)
    let text = ""
    for await (const piece of bytes) {
      text += Buffer.from(piece).toString("latin1")
      if (text.length > MAX_ID_BYTES) break
    }
    return text.slice(0, MAX_ID_BYTES).trim()
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}

/** Returns whether the storage holds a file of a fileset or of a job. */
async function holdsFiles(storage: Storage, aborting: Aborting): Promise<boolean> {
  for (const prefix of ["filesets/", "jobs/"]) {
    for await (const _file of storage.list({ prefix, ...aborting })) return true
  }
  return false
}

function findRecord(queries: Queries, type: DefaultStorage["type"]) {
  return queries
    .selectFrom("storage_ids")
    .select(["id", "is_marked"])
    .where("storage_type", "=", type)
    .executeTakeFirst()
}

/** Records the id that the storage has, or a new one, unless another server has just recorded one. Returns the recorded id. */
async function record({ database, defaultStorage, newId }: SettleContext, marked: string | undefined): Promise<string> {
  const { type } = defaultStorage
  const id = marked ?? newId("storage")
  return database.write(async (queries) => {
    await queries
      .insertInto("storage_ids")
      .values({ storage_type: type, id, is_marked: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await findRecord(queries, type))?.id ?? id
  })
}

/** Returns whether files on the default storage are recorded. */
async function isUsed(queries: Queries, { type }: DefaultStorage): Promise<boolean> {
  const fileset = await queries
    .selectFrom("filesets")
    .select("id")
    .where((row) => row.and({ owns_bytes: 1, storage_type: type }))
    .limit(1)
    .executeTakeFirst()
  return fileset !== undefined || (await hasRow(queries, "evaluation_jobs"))
}

const RECORDS = [
  "filesets",
  "evaluation_jobs",
  "models",
  "documents",
  "secrets",
  "removed_filesets",
  "trash_entries",
] as const

/** Returns whether a database holds nothing that a user made. */
async function isEmpty(queries: Queries): Promise<boolean> {
  for (const table of RECORDS) if (await hasRow(queries, table)) return false
  return true
}

async function hasRow(queries: Queries, table: (typeof RECORDS)[number]): Promise<boolean> {
  const found = await queries
    .selectFrom(table)
    .select((row) => row.lit(1).as("one"))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

async function* oneLine(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(`${text}\n`)
}

type StorageLocation = DefaultStorage | Extract<StorageConfiguration, { readonly type: "local" }>

/** Returns the location of a default storage for messages. */
function locationOf(storage: StorageLocation): string {
  if (storage.type === "local") return `'${storage.path}'`
  return `'${storage.bucket}/${storage.prefix ?? ""}'`
}

function lostDatabase(storage: StorageLocation): AssayError {
  const message = `The default storage ${locationOf(storage)} holds files, but the database has no record of them: it is lost, or it is another one. Restore a backup with 'assay restore', or correct ASSAY_DATA_DIR or DATABASE_URL. To start empty, move 'filesets', 'jobs' and '${STORAGE_ID_PATH}' away from the storage.`
  return new AssayError("bad_settings", message)
}

function lostStorage(storage: DefaultStorage, id: string): AssayError {
  const message = `The default storage ${locationOf(storage)} is not the one of this database: it has no file '${STORAGE_ID_PATH}'. Check that it is mounted, and that ASSAY_DEFAULT_STORAGE or ASSAY_DATA_DIR names it. If its files were copied here, write the line ${id} into '${STORAGE_ID_PATH}'.`
  return new AssayError("bad_settings", message)
}

function otherStorage(
  storage: DefaultStorage,
  { marked, recorded }: { readonly marked: string; readonly recorded: string },
): AssayError {
  const message = `The default storage ${locationOf(storage)} belongs to another database: its '${STORAGE_ID_PATH}' is ${marked}, and the database has ${recorded}. Correct ASSAY_DATA_DIR, ASSAY_DEFAULT_STORAGE or DATABASE_URL. If the files are those of this database, write ${recorded} into that file.`
  return new AssayError("bad_settings", message)
}
