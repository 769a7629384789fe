import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { isAssayError } from "@assay/schemas"
import { createLogger } from "../../logger.ts"
import { openSettingsRegistry } from "../../open-settings-registry.ts"
import type { ServerContext } from "../../server-context.ts"
import { loadSettings } from "../../settings/load-settings.ts"
import type { Settings } from "../../settings/settings-schema.ts"
import { looseModesOf } from "../../settings/settings-paths.ts"
import { type Finding, runCheck } from "./finding.ts"

/** The machine of a server that would start here. */
export interface Machine extends Pick<ServerContext, "cwd" | "now" | "randomBytes"> {
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The settings of a server that would start here. */
export interface FoundSettings {
  readonly finding: Finding
  /** Undefined if a setting is wrong, as the finding says. */
  readonly found?: FoundFolder
}

/** The location of the data of such a server. */
export interface FoundFolder {
  readonly settings: Settings
  /** Absolute path. */
  readonly dataFolder: string
  /** Whether the server has a database: one of its own in the folder, or a shared one. */
  readonly hasDatabase: boolean
}

/** Checks the settings of a server that would start here. */
export async function findSettings({ env, cwd }: Machine): Promise<FoundSettings> {
  let found: FoundFolder | undefined
  const finding = await runCheck("settings", async () => {
    const { settings, origins } = loadSettings({ env, cwd })
    const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
    const hasDatabase = settings.DATABASE_URL !== undefined || existsSync(join(dataFolder, "registry.db"))
    found = { settings, dataFolder, hasDatabase }
    return origins.size === 0 ? "all have their defaults" : `${[...origins.keys()].join(", ")} set`
  })
  return found === undefined ? { finding } : { finding, found }
}

/** Opens the registry of the data folder. A server may be using the data: as a guest, the registry cleans nothing up. */
export async function openAsGuest({ cwd, now, randomBytes }: Machine, { settings, dataFolder }: FoundFolder) {
  const logger = createLogger({ ...settings, ASSAY_LOG_LEVEL: "silent" }, false)
  return openSettingsRegistry({ settings, cwd, now, randomBytes, logger }, dataFolder, { guest: true })
}

/** The registry of a server that may be running. */
export type GuestRegistry = Awaited<ReturnType<typeof openAsGuest>>

/** Checks whether other users can read or change the data folder that the settings here name. Empty if there is no folder. */
export async function checkModes({ env, cwd }: Machine): Promise<readonly Finding[]> {
  try {
    const { settings } = loadSettings({ env, cwd })
    const folder = resolve(cwd, settings.ASSAY_DATA_DIR)
    if (!existsSync(folder)) return []
    const loose = looseModesOf(settings, cwd)
    if (loose.length === 0) return [{ name: "modes", ok: true, detail: `only its owner can use ${folder}` }]
    const said = loose.map(({ problem, command }) => `${problem}\n  ${command}`)
    return [{ name: "modes", ok: false, detail: said.join("\n") }]
  } catch (error) {
    // Another check reports wrong settings.
    if (isAssayError(error, "bad_settings")) return []
    throw error
  }
}
