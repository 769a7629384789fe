import { randomBytes, randomUUID } from "node:crypto"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createTransport } from "@assay/storage"
import { type Database, openDatabase } from "@assay/database"
import { openRegistry } from "../open-registry.ts"
import type { RegistryOptions } from "../registry-options.ts"
import type { Registry } from "../registry.ts"
import { createTestDatabase, type DatabaseKind } from "@assay/database/testing"

export interface TestRegistry {
  readonly registry: Registry
  readonly options: RegistryOptions
  /** The test's own folder. It contains the default storage in `storage`. Users may name folders in `allowed`. */
  readonly folder: string
  /** The clock of the registry. Each read advances it by a millisecond, unless it is `still`. */
  readonly clock: { time: number; still: boolean }
  /** Advances the clocks of the registry and its database. */
  pass(ms: number): Promise<void>
  /** The messages that the registry has logged. */
  readonly warnings: string[]
  /** Opens another registry on the same database and storage. */
  openAnother(overrides?: Partial<RegistryOptions>): Promise<Registry>
  /** Opens the database itself. */
  openTables(): Promise<Database>
  remove(): Promise<void>
}

/** Creates a registry on a new database and a new folder. */
export async function createTestRegistry(
  kind: DatabaseKind,
  overrides: Partial<RegistryOptions> = {},
): Promise<TestRegistry> {
  const clock = { time: Date.UTC(2026, 10, 20), still: false }
  const testDatabase = await createTestDatabase(kind, { time: clock.time })
  const { folder } = testDatabase
  const warnings: string[] = []
  const options: RegistryOptions = {
    database: testDatabase.options,
    defaultStorage: { type: "local", path: join(folder, "storage") },
    allowedLocalRoots: [{ path: join(folder, "allowed") }],
    encryptionKeys: [{ name: "first", key: new Uint8Array(32).fill(1) }],
    now: () => (clock.still ? clock.time : ++clock.time),
    newId: (prefix) => `${prefix}-${randomUUID()}`,
    randomBytes,
    transport: createTransport({ firstByteMs: 5000, idleMs: 5000 }),
    random: Math.random,
    // Retries wait only for a timer.
    sleep: (_, signal) => setTimeout(1, undefined, { signal }),
    log: { warn: (_, message) => void warnings.push(message) },
    ...overrides,
  }
  const closing: { close(): Promise<void> }[] = []
  const opened = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const one = await opening
    closing.push(one)
    return one
  }
  return {
    registry: await opened(openRegistry(options)),
    options,
    folder,
    clock,
    async pass(ms) {
      clock.time += ms
      await testDatabase.pass(ms)
    },
    warnings,
    openAnother: (others = {}) => opened(openRegistry({ ...options, ...others })),
    openTables: () => opened(openDatabase(testDatabase.options, () => {})),
    async remove() {
      for (const one of closing) await one.close()
      await testDatabase.remove()
    },
  }
}
