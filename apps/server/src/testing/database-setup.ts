import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env } from "node:process"
import { isInjected } from "@assay/testkit/postgres-setup"
import type { TestProject } from "vitest/node"
import { startServerProcess } from "./start-server-process.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The database of a server that has just been started for the first time. Tests copy it. */
    newDatabase: string
  }
}

/** Creates, for `globalSetup`, the database of a new server. Creating its tables takes longer than the rest of a start. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!(await isInjected(project, "newDatabase"))) return undefined
  const folder = await mkdtemp(join(tmpdir(), "assay-new-"))
  // Turbo has built the server. Its sources are hundreds of modules, which this process would load for one start.
  await (env["TURBO_HASH"] === undefined ? startSources(folder) : startBuild(folder))
  project.provide("newDatabase", join(folder, "registry.db"))
  return () => rm(folder, { recursive: true })
}

async function startBuild(folder: string): Promise<void> {
  const server = await startServerProcess(folder, { ASSAY_DATA_DIR: folder })
  await server.stop()
}

async function startSources(folder: string): Promise<void> {
  const { pino } = await import("pino")
  const { serve } = await import("../serve.ts")
  const { loadSettings } = await import("../settings/load-settings.ts")
  const { settings } = loadSettings({ env: { PORT: "0", ASSAY_DATA_DIR: folder }, cwd: folder })
  const server = await serve({ settings, cwd: folder, now: Date.now, randomBytes, logger: pino({ level: "silent" }) })
  await server.close()
}
