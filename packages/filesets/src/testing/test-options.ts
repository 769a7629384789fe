import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createTransport } from "@assay/storage"
import { type Database, type DatabaseOptions, openDatabase } from "@assay/database"
import { createTestDatabase, type DatabaseKind } from "@assay/database/testing"
import type { FilesetsOptions } from "../filesets-options.ts"

export interface TestFilesetsOptions extends FilesetsOptions {
  readonly database: DatabaseOptions
}

/** The options of filesets on a new database and in a new folder, and what a test does with these. */
export interface TestOptions {
  readonly options: TestFilesetsOptions
  /** The test's own folder. It contains the default storage in `storage`. Users may name folders in `allowed`. */
  readonly folder: string
  /** The clock of the options. Each read advances it by a millisecond, unless it is `still`. */
  readonly clock: { time: number; still: boolean }
  /** Advances the clock, and that of the database. */
  pass(ms: number): Promise<void>
  /** The messages that were logged. */
  readonly warnings: string[]
  /** Opens the database itself. */
  openTables(): Promise<Database>
  /** Closes at the end what was opened on the database. */
  closeLater<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T>
  remove(): Promise<void>
}

export async function createTestOptions(kind: DatabaseKind): Promise<TestOptions> {
  const clock = { time: Date.UTC(2026, 10, 20), still: false }
  const testDatabase = await createTestDatabase(kind, { time: clock.time })
  const { folder } = testDatabase
  const warnings: string[] = []
  const closing: { close(): Promise<void> }[] = []
  const closeLater: TestOptions["closeLater"] = async (opening) => {
    const one = await opening
    closing.push(one)
    return one
  }
  return {
    options: {
      database: testDatabase.options,
      defaultStorage: { type: "local", path: join(folder, "storage") },
      allowedLocalRoots: [{ path: join(folder, "allowed") }],
      now: () => (clock.still ? clock.time : ++clock.time),
      newId: (prefix) => `${prefix}-${randomUUID()}`,
      transport: createTransport({ firstByteMs: 5000, idleMs: 5000 }),
      random: Math.random,
      // Retries wait only for a timer.
      sleep: (_, signal) => setTimeout(1, undefined, { signal }),
      log: { warn: (_, message) => void warnings.push(message) },
    },
    folder,
    clock,
    async pass(ms) {
      clock.time += ms
      await testDatabase.pass(ms)
    },
    warnings,
    openTables: () => closeLater(openDatabase(testDatabase.options, () => {})),
    closeLater,
    async remove() {
      for (const one of closing) await one.close()
      await testDatabase.remove()
    },
  }
}
