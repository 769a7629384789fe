import { existsSync } from "node:fs"
import type { SharedDatabase } from "./database.ts"
import { openDatabase, type DatabaseOptions } from "./open-database.ts"
import { MIGRATION_NAMES } from "./migrations/migrate.ts"

export interface MigrateOptions {
  /** Only look. Default false. */
  readonly isCheck?: boolean
  /** Creates what other programs keep in a shared database, such as a queue. Not called by a check. */
  readonly prepareShared?: (database: SharedDatabase) => Promise<void>
}

/**
 * Migrates a database to the newest schema, as the start of a server does. It waits for another process that is migrating.
 * @returns the names of the migrations that it ran, or that are missing if it only looked; oldest first
 * @throws `bad_settings` if the database can't be opened, or is of a later version
 */
export async function migrateDatabase(
  options: DatabaseOptions,
  { isCheck = false, prepareShared }: MigrateOptions = {},
): Promise<readonly string[]> {
  // Opening would create the file.
  if (isCheck && options.kind === "sqlite" && !existsSync(options.file)) return MIGRATION_NAMES
  let pending: readonly string[] = []
  const mayMigrate = (names: readonly string[]) => {
    pending = names
    return !isCheck
  }
  try {
    const database = await openDatabase(options, () => {}, { mayMigrate })
    try {
      if (!isCheck && database.shared !== undefined) await prepareShared?.(database.shared)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!isCheck || pending.length === 0) throw error
  }
  return pending
}
