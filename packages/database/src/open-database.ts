import { openFailure, pathErrorCode } from "@assay/storage"
import { AssayError, type ErrorCode, messageOf } from "@assay/schemas"
import type { MayMigrate } from "./migrations/migrate.ts"
import type { Database, PreparedQuery } from "./database.ts"
import type { StatementFailure } from "./sql-dialect.ts"
import { openSqlite } from "./sqlite/open.ts"

/** The location of the records: a file on this machine, or a PostgreSQL server that several servers can share. */
export type DatabaseOptions =
  | {
      readonly kind: "sqlite"
      readonly file: string
      /**
       * Whether nobody else uses the file yet, such as a copy. Then commits do not wait for the disk, and a disk that fails ends the work:
       * who puts the file in its place syncs it. Default false.
       */
      readonly isPrivate?: boolean
    }
  | {
      readonly kind: "postgres"
      readonly url: string
      readonly notifyUrl?: string | undefined
      readonly maxConnections?: number
      readonly lockWaitMs?: number
    }

interface OpenOptions {
  /** Whether a server may be using it. Then it must exist with the newest schema, and is not migrated. Default false. */
  readonly guest?: boolean
  /** Default: every missing migration is run. */
  readonly mayMigrate?: MayMigrate
  /** Called when notices of a shared database stop to arrive. */
  readonly onDeaf?: (error: Error) => void
}

/**
 * Opens the database and migrates its schema to the newest version.
 * @throws `bad_settings` if it can't be opened, `disk_full`, `local_file_failed` if the disk fails. The message names the file, or the server without
 * its password
 */
export async function openDatabase(
  options: DatabaseOptions,
  onBrokenConnection: (error: Error) => void,
  { guest = false, mayMigrate = () => true, onDeaf = () => {} }: OpenOptions = {},
): Promise<Database> {
  try {
    if (options.kind === "sqlite")
      return withKnownFailures(
        await openSqlite(options.file, {
          guest,
          mayMigrate,
          isPrivate: options.isPrivate,
          onDiskFailure: onBrokenConnection,
        }),
      )
    // Imported on demand, because the driver slows down the start of servers that do not need it.
    const { openPostgres } = await import("./postgres/open.ts")
    return withKnownFailures(await openPostgres({ ...options, onBrokenConnection, onDeaf, guest, mayMigrate }))
  } catch (cause) {
    const failure = options.kind === "sqlite" ? openFailure(cause, options.file) : undefined
    const systemCode = failure?.context["system_code"]
    const isKnown = typeof systemCode === "string"
    // SQLite says only that it could not open a file.
    const message = `The database ${nameOf(options)} can't be opened: ${messageOf(cause)}${isKnown ? ` (${systemCode})` : ""}`
    const context = isKnown ? { system_code: systemCode } : {}
    throw new AssayError(pathErrorCode(failure), message, { context, cause })
  }
}

/** Returns whether a server that `openDatabase` could not open may respond later. `error` is what it threw. */
export async function mayRespondLater({ cause }: { readonly cause?: unknown }): Promise<boolean> {
  const { POSTGRES_DIALECT } = await import("./postgres/dialect.ts")
  return POSTGRES_DIALECT.failureOf(cause) === "unavailable"
}

function nameOf(options: DatabaseOptions): string {
  if (options.kind === "sqlite") return options.file
  const url = URL.parse(options.url)
  return url === null ? "of DATABASE_URL" : `${url.protocol}//${url.host}${url.pathname}`
}

/** Errors for failures that mean the same in every operation. */
const KNOWN_FAILURES: Readonly<
  Partial<Record<StatementFailure, readonly [ErrorCode, string, { readonly retryAfter: number }?]>>
> = {
  unavailable: ["unavailable", "The database does not respond; try again in a moment."],
  locked: [
    "unavailable",
    "Another server has locked a record that this request needs; try again in a moment.",
    { retryAfter: 5 },
  ],
  disk_full: ["disk_full", "The disk of the database is full; free some space, then try again."],
  disk_failed: [
    "unavailable",
    "The disk of the database could not be read or written; check the disk and the system's log, then try again. `assay doctor --deep` finds damage.",
    { retryAfter: 5 },
  ],
  unstorable: ["bad_request", "The request contains a text with U+0000, which can't be stored; remove it."],
}

/** Returns the same database, which throws these errors instead of its own. */
function withKnownFailures(database: Database): Database {
  async function known<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (cause) {
      const failure = database.dialect.failureOf(cause)
      const answer = failure && KNOWN_FAILURES[failure]
      if (answer === undefined) throw cause
      const [code, message, context = {}] = answer
      throw new AssayError(code, message, { context, cause })
    }
  }
  const knownQuery = <T>(query: PreparedQuery<T>): PreparedQuery<T> => ({ run: (values) => known(query.run(values)) })
  const { scan } = database
  return {
    ...database,
    scan: scan && ((work) => known(scan(work))),
    read: (work) => known(database.read(work)),
    write: (work, options) => known(database.write(work, options)),
    settle: () => known(database.settle()),
    prepare: (build) => knownQuery(database.prepare(build)),
    prepareTogether: (build) => knownQuery(database.prepareTogether(build)),
  }
}
