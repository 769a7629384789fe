import { accessSync, constants } from "node:fs"
import { join } from "node:path"

const FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]

/** System programs that build sandboxes, as absolute paths. Absent: not installed. */
export interface SandboxTools {
  /** From bubblewrap. */
  readonly bwrap?: string
  /** From util-linux, like the next four. */
  readonly unshare?: string
  readonly setpriv?: string
  readonly prlimit?: string
  readonly pivot_root?: string
  readonly mount?: string
  /** From iproute2. */
  readonly ip?: string
}

const NAMES = ["bwrap", "unshare", "setpriv", "prlimit", "pivot_root", "mount", "ip"] as const

/** Finds the programs in the folders of the system. `PATH` and other variables are ignored. */
export function findSandboxTools(): SandboxTools {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const path = FOLDERS.map((folder) => join(folder, name)).find(isExecutable)
      return path === undefined ? [] : [[name, path] as const]
    }),
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
