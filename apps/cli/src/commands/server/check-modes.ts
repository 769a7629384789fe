import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import type { Finding } from "./finding.ts"

/** Who else can read or change the data folder that the settings here name; nothing where there is none. */
export async function checkModes({ env, cwd }: Context): Promise<readonly Finding[]> {
  const server = await import("@assay/server")
  try {
    const { settings } = server.loadSettings({ env, cwd })
    const folder = resolve(cwd, settings.ASSAY_DATA_DIR)
    if (!existsSync(folder)) return []
    const loose = server.looseModesOf(settings, cwd)
    if (loose.length === 0) return [{ name: "modes", ok: true, detail: `${folder} is its owner's alone` }]
    const said = loose.map(({ problem, command }) => `${problem}\n  ${command}`)
    return [{ name: "modes", ok: false, detail: said.join("\n") }]
  } catch (error) {
    // Wrong settings are a finding of their own.
    if (isAssayError(error, "bad_settings")) return []
    throw error
  }
}
