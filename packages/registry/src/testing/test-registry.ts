import { randomBytes, randomUUID } from "node:crypto"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createTransport } from "@assay/storage"
import type { Database } from "../database/database.ts"
import { openDatabase } from "../database/open-database.ts"
import { openRegistry } from "../open-registry.ts"
import type { RegistryOptions } from "../registry-options.ts"
import type { Registry } from "../registry.ts"
import { createTestDatabase, type DatabaseKind } from "./databases.ts"

export interface TestRegistry {
  readonly registry: Registry
  readonly options: RegistryOptions
  /** A folder of the test's own. The default storage is in `storage` below it; `allowed` may be named by users. */
  readonly folder: string
  /** What the registry takes for the time. It goes on by a millisecond whenever it is looked at, unless it is `still`. */
  readonly clock: { time: number; still: boolean }
  /** Lets time pass, for the registry and its database. */
  pass(ms: number): Promise<void>
  /** What the registry has logged. */
  readonly warnings: string[]
  /** Another registry over the same database and storage. */
  openAnother(overrides?: Partial<RegistryOptions>): Promise<Registry>
  /** The tables themselves. */
  openTables(): Promise<Database>
  remove(): Promise<void>
}

/** A registry over a fresh database of the kind and a fresh folder. */
export async function createTestRegistry(
  kind: DatabaseKind,
  overrides: Partial<RegistryOptions> = {},
): Promise<TestRegistry> {
  const clock = { time: Date.UTC(2026, 10, 20), still: false }
  const place = await createTestDatabase(kind, { time: clock.time })
  const { folder } = place
  const warnings: string[] = []
  const options: RegistryOptions = {
    database: place.options,
    defaultStorage: { type: "local", path: join(folder, "storage") },
    allowedLocalRoots: [{ path: join(folder, "allowed") }],
    encryptionKeys: [{ name: "first", key: new Uint8Array(32).fill(1) }],
    now: () => (clock.still ? clock.time : ++clock.time),
    newId: (prefix) => `${prefix}-${randomUUID()}`,
    randomBytes,
    transport: createTransport({ firstByteMs: 5000, idleMs: 5000 }),
    random: Math.random,
    // Retries wait as long as a timer takes.
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
      await place.pass(ms)
    },
    warnings,
    openAnother: (others = {}) => opened(openRegistry({ ...options, ...others })),
    openTables: () => opened(openDatabase(place.options, () => {})),
    async remove() {
      for (const one of closing) await one.close()
      await place.remove()
    },
  }
}

/** The bytes of a text, as they arrive from a request. */
export async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

export async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString()
}
