import { statfs } from "node:fs/promises"
import { formatBytes } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { find, type Finding } from "./finding.ts"

const NODE_MAJOR = 24
const SCARCE_BYTES = 1_073_741_824

/** Checks the version of Node and the free space on the disk of the working folder. */
export async function checkMachine({ cwd, nodeVersion }: Context): Promise<readonly Finding[]> {
  const node = await find("node", async () => {
    const ok = Number(nodeVersion.split(".")[0]) >= NODE_MAJOR
    const detail = ok ? nodeVersion : `Node ${nodeVersion} is too old: install Node ${NODE_MAJOR} or newer.`
    return { ok, detail }
  })
  const disk = await find("disk", async () => {
    const { bavail, bsize } = await statfs(cwd)
    const free = formatBytes(bavail * bsize)
    const ok = bavail * bsize >= SCARCE_BYTES
    return { ok, detail: ok ? `${free} free` : `Only ${free} are free: free some space before you store more.` }
  })
  return [node, disk]
}
