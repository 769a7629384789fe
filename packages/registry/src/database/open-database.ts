import { AssayError } from "@assay/schemas"
import type { Database } from "./database.ts"
import { withKnownFailures } from "./known-failures.ts"
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
