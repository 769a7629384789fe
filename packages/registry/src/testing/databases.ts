// Tells the type of what `inject` answers.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase } from "@assay/testkit"
import { inject } from "vitest"
import type { DatabaseOptions } from "../database/open-database.ts"

export const DATABASE_KINDS = ["sqlite", "postgres"] as const
export type DatabaseKind = (typeof DATABASE_KINDS)[number]

export interface TestDatabase {
  readonly options: DatabaseOptions
  /** A folder of the test's own, where the file of SQLite is too. */
  readonly folder: string
  remove(): Promise<void>
}

/** An empty database of a kind, for one test file. */
export async function createTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "registry-"))
  const options: DatabaseOptions =
    kind === "sqlite"
      ? { kind, file: join(folder, "registry.db") }
      : { kind, url: await createDatabase(inject("postgresUrl")), maxConnections: 8 }
  return { options, folder, remove: () => rm(folder, { recursive: true }) }
}
