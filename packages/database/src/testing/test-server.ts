import { randomUUID } from "node:crypto"
import type { BackgroundLog } from "../background.ts"
import type { Database } from "../database.ts"
import { type DatabaseOptions, openDatabase } from "../open-database.ts"
import { createTestDatabase, type DatabaseKind } from "./databases.ts"

/** The database, the folder and the clock of a server in a test. */
export interface TestServer {
  readonly database: DatabaseOptions
  /** The test's own folder. */
  readonly folder: string
  /** Each read advances the clock by a millisecond, unless it is `still`. */
  readonly clock: { time: number; still: boolean }
  /** Reads the clock. */
  readonly now: () => number
  readonly newId: (prefix: string) => string
  /** The messages that were logged. */
  readonly warnings: string[]
  readonly log: BackgroundLog
  /** Advances the clock, and that of the database. */
  readonly pass: (ms: number) => Promise<void>
  /** Opens the database itself. */
  readonly openTables: () => Promise<Database>
  /** Closes at the end what was opened on the database. */
  readonly closeLater: <T extends { close(): Promise<void> }>(opening: Promise<T>) => Promise<T>
  readonly remove: () => Promise<void>
}

export async function createTestServer(kind: DatabaseKind): Promise<TestServer> {
  const clock = { time: Date.UTC(2026, 10, 20), still: false }
  const testDatabase = await createTestDatabase(kind, { time: clock.time })
  const { options, folder } = testDatabase
  const warnings: string[] = []
  const closing: { close(): Promise<void> }[] = []
  const closeLater: TestServer["closeLater"] = async (opening) => {
    const one = await opening
    closing.push(one)
    return one
  }
  return {
    database: options,
    folder,
    clock,
    now: () => (clock.still ? clock.time : ++clock.time),
    newId: (prefix) => `${prefix}-${randomUUID()}`,
    warnings,
    log: { warn: (_, message) => void warnings.push(message) },
    async pass(ms) {
      clock.time += ms
      await testDatabase.pass(ms)
    },
    openTables: () => closeLater(openDatabase(options, () => {})),
    closeLater,
    async remove() {
      for (const one of closing) await one.close()
      await testDatabase.remove()
    },
  }
}

/** Adds a workspace, unless it exists. */
export async function addWorkspace(database: Database, name: string): Promise<void> {
  const row = { id: `workspace-${name}`, name, description: "", created_at: 0, updated_at: 0 }
  await database.write((queries) =>
    queries
      .insertInto("workspaces")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}
