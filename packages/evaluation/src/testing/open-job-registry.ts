import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { openRegistry, type Registry } from "@assay/registry"
import { createTransport } from "@assay/storage"

export interface JobRegistry extends AsyncDisposable {
  readonly registry: Registry
  /** Milliseconds that its clock is ahead of the real time. */
  readonly clock: { ahead: number }
  /** Opens another registry over the same database. */
  openAnother(): Promise<Registry>
}

/** Opens a registry on a new database file, or on the PostgreSQL database at `databaseUrl`. */
export async function openJobRegistry(databaseUrl?: string): Promise<JobRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "assay-jobs-"))
  const clock = { ahead: 0 }
  const opened: Registry[] = []
  const open = async () => {
    const registry = await openRegistry({
      database:
        databaseUrl === undefined
          ? { kind: "sqlite", file: join(folder, "registry.db") }
          : { kind: "postgres", url: databaseUrl },
      defaultStorage: { type: "local", path: join(folder, "storage") },
      allowedLocalRoots: [],
      encryptionKeys: [{ name: "first", key: new Uint8Array(32) }],
      now: () => Date.now() + clock.ahead,
      newId: (prefix) => `${prefix}-${randomUUID()}`,
      randomBytes,
      transport: createTransport({ firstByteMs: 1000, idleMs: 1000 }),
      random: Math.random,
      sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    })
    opened.push(registry)
    return registry
  }
  return {
    registry: await open(),
    clock,
    openAnother: open,
    async [Symbol.asyncDispose]() {
      for (const registry of opened) await registry.close()
      await rm(folder, { recursive: true })
    },
  }
}
