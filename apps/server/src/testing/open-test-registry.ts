import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openRegistry, type Registry } from "@assay/registry"
import { createTransport } from "@assay/storage"

export interface TestRegistry extends AsyncDisposable {
  readonly registry: Registry
  readonly newId: (prefix: string) => string
}

/** Opens a registry in a temporary folder, without a server. */
export async function openTestRegistry(): Promise<TestRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "assay-registry-"))
  const newId = (prefix: string) => `${prefix}-${randomUUID()}`
  const registry = await openRegistry({
    database: { kind: "sqlite", file: join(folder, "assay.db") },
    defaultStorage: { type: "local", path: join(folder, "storage") },
    allowedLocalRoots: [],
    encryptionKeys: [{ name: "first", key: new Uint8Array(32) }],
    now: Date.now,
    newId,
    randomBytes,
    transport: createTransport({ firstByteMs: 5000, idleMs: 5000 }),
    random: Math.random,
    sleep: () => Promise.resolve(),
  })
  return {
    registry,
    newId,
    async [Symbol.asyncDispose]() {
      await registry.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
