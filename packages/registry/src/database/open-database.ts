import { AssayError, type ErrorCode } from "@assay/schemas"
import type { Database } from "./database.ts"
import type { PreparedQuery } from "./prepared-query.ts"
import type { StatementFailure } from "./sql-dialect.ts"
import { openSqlite } from "./sqlite/open-sqlite.ts"

/** Where the records are: in a file of this machine, or on a PostgreSQL server that several of ours can share. */
export type DatabaseOptions =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string; readonly maxConnections?: number; readonly lockWaitMs?: number }

/**
 * Opens the database and brings its schema to the newest state.
 * @param guest whether a server may be at work on it: then it has to be there and is taken as it is
 * @throws `bad_settings` where it can't be opened; the message names the file, or the server without its password
 */
export async function openDatabase(
  options: DatabaseOptions,
  onBrokenConnection: (error: Error) => void,
  { guest = false }: { readonly guest?: boolean } = {},
): Promise<Database> {
  try {
    if (options.kind === "sqlite") return withKnownFailures(await openSqlite(options.file, { guest }))
    // Its driver costs a start that does without it.
    const { openPostgres } = await import("./postgres/open-postgres.ts")
    return withKnownFailures(await openPostgres({ ...options, onBrokenConnection, guest }))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `The database ${nameOf(options)} can't be opened: ${reason}`
    throw new AssayError("bad_settings", message, { cause })
  }
}

function nameOf(options: DatabaseOptions): string {
  if (options.kind === "sqlite") return options.file
  const url = URL.parse(options.url)
  return url === null ? "of DATABASE_URL" : `${url.protocol}//${url.host}${url.pathname}`
}

/** Failures that mean the same whatever was being done. */
const ANSWERS: Readonly<
  Partial<Record<StatementFailure, readonly [ErrorCode, string, { readonly retryAfter: number }?]>>
> = {
  unavailable: ["unavailable", "The database does not answer; try again in a moment."],
  locked: [
    "unavailable",
    "Another server holds a record that this needs, and has not let go of it in time; try again in a moment.",
    { retryAfter: 5 },
  ],
  disk_full: ["disk_full", "The database has no room left; free space on its disk, then try again."],
  unstorable: ["bad_request", "The request has a text with U+0000, which no record can hold; leave it out."],
}

/** The same database, which answers with these failures instead of its own. */
export function withKnownFailures(database: Database): Database {
  async function known<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (cause) {
      const failure = database.dialect.failureOf(cause)
      const answer = failure && ANSWERS[failure]
      if (answer === undefined) throw cause
      const [code, message, context = {}] = answer
      throw new AssayError(code, message, { context, cause })
    }
  }
  const knownQuery = <T>(query: PreparedQuery<T>): PreparedQuery<T> => ({ run: (values) => known(query.run(values)) })
  return {
    ...database,
    read: (work) => known(database.read(work)),
    write: (work, options) => known(database.write(work, options)),
    prepare: (build) => knownQuery(database.prepare(build)),
    prepareTogether: (build) => knownQuery(database.prepareTogether(build)),
  }
}
