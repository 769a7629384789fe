import { existsSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { resolve } from "node:path"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { formatBytes } from "@assay/reports/terminal"
import { find, type Finding } from "./finding.ts"

const NODE_MAJOR = 24
const SCARCE_BYTES = 1_073_741_824

/** Checks the version of Node and the free space on the disk of the working folder. */
export async function checkMachine({ cwd, nodeVersion }: Context): Promise<readonly Finding[]> {
  return [
    await find("node", async () => {
      if (Number(nodeVersion.split(".")[0]) >= NODE_MAJOR) return nodeVersion
      throw new AssayError("bad_settings", `Node ${nodeVersion} is too old: install Node ${NODE_MAJOR} or newer.`)
    }),
    await find("disk", async () => {
      const { bavail, bsize } = await statfs(cwd)
      const free = bavail * bsize
      if (free >= SCARCE_BYTES) return `${formatBytes(free)} free`
      throw new AssayError("disk_full", `Only ${formatBytes(free)} are free: free some space before you store more.`)
    }),
  ]
}

/** Checks whether other users can read or change the data folder that the settings here name. Empty if there is no folder. */
export async function checkModes({ env, cwd }: Context): Promise<readonly Finding[]> {
  const server = await import("@assay/server")
  try {
    const { settings } = server.loadSettings({ env, cwd })
    const folder = resolve(cwd, settings.ASSAY_DATA_DIR)
    if (!existsSync(folder)) return []
    const loose = server.looseModesOf(settings, cwd)
    if (loose.length === 0) return [{ name: "modes", ok: true, detail: `only its owner can use ${folder}` }]
    const said = loose.map(({ problem, command }) => `${problem}\n  ${command}`)
    return [{ name: "modes", ok: false, detail: said.join("\n") }]
  } catch (error) {
    // Another check reports wrong settings.
    if (isAssayError(error, "bad_settings")) return []
    throw error
  }
}
