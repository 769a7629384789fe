// For the type of `inject`.
/// <reference types="@assay/testkit/postgres-setup" />
import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { advanceDatabaseClock, createDatabase, installDatabaseClock } from "@assay/testkit"
import { inject } from "vitest"
import type { DatabaseOptions } from "../open-database.ts"
import { giveBackDatabase, takeDatabase } from "./spare-databases.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** A SQLite file with the newest schema and no records, which tests copy. */
    sqliteTemplate: string
  }
}

export const DATABASE_KINDS = ["sqlite", "postgres"] as const
export type DatabaseKind = (typeof DATABASE_KINDS)[number]

export interface TestDatabase {
  readonly options: DatabaseOptions
  /** The test's own folder. It also contains the file of SQLite. */
  readonly folder: string
  /** Advances the clock of the database, if it has its own. */
  pass(ms: number): Promise<void>
  remove(): Promise<void>
}

export interface TestDatabaseOptions {
  /** The initial time of its clock. Default: now. */
  readonly time?: number
  /** Whether the database has no tables yet. Default false. */
  readonly isNew?: boolean
}

/** Creates a database without records. */
export async function createTestDatabase(
  kind: DatabaseKind,
  { time = Date.now(), isNew = false }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "registry-"))
  const remove = () => rm(folder, { recursive: true })
  if (kind === "sqlite") {
    const file = join(folder, "registry.db")
    if (!isNew) await copyFile(inject("sqliteTemplate"), file)
    return { options: { kind, file }, folder, pass: async () => {}, remove }
  }
  const serverUrl = inject("postgresUrl")
  const url = isNew ? await createDatabase(serverUrl) : await takeDatabase(serverUrl)
  await installDatabaseClock(url, time)
  return {
    options: { kind, url, maxConnections: 3 },
    folder,
    pass: (ms) => advanceDatabaseClock(url, ms),
    async remove() {
      await remove()
      await giveBackDatabase(serverUrl, url)
    },
  }
}
