// Tells the type of what `inject` answers.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { advanceDatabaseClock, createDatabase, installDatabaseClock } from "@assay/testkit"
import { inject } from "vitest"
import type { DatabaseOptions } from "../database/open-database.ts"

export const DATABASE_KINDS = ["sqlite", "postgres"] as const
export type DatabaseKind = (typeof DATABASE_KINDS)[number]

export interface TestDatabase {
  readonly options: DatabaseOptions
  /** A folder of the test's own, where the file of SQLite is too. */
  readonly folder: string
  /** Puts the clock of a database forward that has one of its own. */
  pass(ms: number): Promise<void>
  remove(): Promise<void>
}

/** An empty database of a kind, for one test file, whose clock begins at `time`. */
export async function createTestDatabase(kind: DatabaseKind, time = Date.now()): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "registry-"))
  const remove = () => rm(folder, { recursive: true })
  if (kind === "sqlite") {
    return { options: { kind, file: join(folder, "registry.db") }, folder, pass: async () => {}, remove }
  }
  const url = await createDatabase(inject("postgresUrl"))
  await installDatabaseClock(url, time)
  const options = { kind, url, maxConnections: 8 }
  return { options, folder, pass: (ms) => advanceDatabaseClock(url, ms), remove }
}
