import { existsSync } from "node:fs"
import { access, constants } from "node:fs/promises"
import { join, resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import type { LoadedSettings } from "@assay/server"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { find, type Finding } from "./finding.ts"

/** Checks that the server at ASSAY_URL answers, is healthy, and accepts the token. */
export async function checkServer(context: Context): Promise<Finding> {
  const { signal } = context
  return find("server", async () => {
    const client = openClient(context)
    await client.service.checkLive({ signal })
    const { status, version, checks } = await client.service.status({ signal })
    const failed = Object.entries(checks).filter(([, { ok }]) => !ok)
    if (failed.length > 0) {
      const said = failed.map(([name, { detail }]) => `${name}: ${detail ?? "failed"}`)
      throw new AssayError("unavailable", `${client.url} is ${status}. ${said.join(". ")}`)
    }
    await client.workspaces.page({ page_size: 1 }, { signal })
    return `${client.url} is ${status}, version ${version}; checked: ${Object.keys(checks).join(", ")}`
  })
}

/** Checks the settings, data folder, database and storage that a server started here would use. Creates nothing. */
export async function checkLocalServer(context: Context): Promise<readonly Finding[]> {
  const { env, cwd, now, randomBytes } = context
  const server = await import("@assay/server")
  let loaded: LoadedSettings | undefined
  const settingsFinding = await find("settings", async () => {
    loaded = server.loadSettings({ env, cwd })
    return loaded.origins.size === 0 ? "all have their defaults" : `${[...loaded.origins.keys()].join(", ")} set`
  })
  if (loaded === undefined) return [settingsFinding]
  const { settings } = loaded
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  const folderFinding = await find("data", async () => {
    await access(dataFolder, constants.R_OK | constants.W_OK)
    return dataFolder
  })
  // Before the first start there is nothing to check, which is not a fault.
  if (!folderFinding.ok) {
    return [settingsFinding, { ...folderFinding, ok: true, detail: `the first start creates ${dataFolder}` }]
  }
  let clock: string | undefined
  const registryFinding = await find("registry", async () => {
    const logger = server.createLogger({ ...settings, ASSAY_LOG_LEVEL: "silent" }, false)
    if (settings.DATABASE_URL === undefined && !existsSync(join(dataFolder, "registry.db"))) {
      return "the first start creates the database"
    }
    // A server on another port may be using the data: as a guest, the registry cleans nothing up.
    const context = { settings, cwd, now, randomBytes, logger }
    const registry = await server.openSettingsRegistry(context, dataFolder, { guest: true })
    try {
      await registry.checkReady()
      clock = await registry.checkClock()
      const lost = await registry.integrity.listUnreadableSecrets()
      if (lost.length > 0) {
        const message = `${lost.length} secrets can't be read with the present encryption keys, such as ${lost[0]?.workspace}/${lost[0]?.name}: put the lost key back, or run 'assay secret discard-unreadable'.`
        throw new AssayError("encryption_key_missing", message)
      }
    } finally {
      await registry.close()
    }
    return "the database answers and the default storage can be written"
  })
  const clockFindings = clock === undefined ? [] : [{ name: "clock", ok: false, detail: clock }]
  return [settingsFinding, folderFinding, registryFinding, ...clockFindings]
}
