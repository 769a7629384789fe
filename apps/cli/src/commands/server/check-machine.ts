import { statfs } from "node:fs/promises"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { formatBytes } from "../../output/format-bytes.ts"
import { find, type Finding } from "./finding.ts"

const NODE_MAJOR = 24
const SCARCE_BYTES = 1_073_741_824

/** Node and the disk of the working folder. */
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
      throw new AssayError("disk_full", `Only ${formatBytes(free)} are free: make room before you store more.`)
    }),
  ]
}
