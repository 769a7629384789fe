import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import type { TestProject } from "vitest/node"
import { serve } from "../serve.ts"
import { loadSettings } from "../settings/load-settings.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The database of a server that has just been started for the first time. Tests copy it. */
    newDatabase: string
  }
}

/** Creates, for `globalSetup`, the database of a new server. Creating its tables takes longer than the rest of a start. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "assay-new-"))
  const { settings } = loadSettings({ env: { PORT: "0", ASSAY_DATA_DIR: folder }, cwd: folder })
  const logger = pino({ level: "silent" })
  const server = await serve({ settings, cwd: folder, now: Date.now, randomBytes, logger })
  await server.close()
  project.provide("newDatabase", join(folder, "registry.db"))
  return () => rm(folder, { recursive: true })
}
