import type { FileHandle } from "node:fs/promises"
import { systemCode } from "../errors.ts"
import { quickLook } from "./quick-look.ts"

/** Where an open file or folder lies. */
export interface RealPath {
  readonly real: string
  /** A path that leads to what is open, whatever happens to its name meanwhile, where the system offers one. */
  readonly steady: string
}

/** Asks the system about the handle itself (Linux), so that no link put in place after opening can deceive. */
export async function realPathOf(handle: Pick<FileHandle, "fd">, path: string): Promise<RealPath> {
  const steady = `/proc/self/fd/${handle.fd}`
  try {
    return { real: quickLook.linkTarget(steady), steady }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error
    const real = quickLook.realPath(path)
    return { real, steady: real }
  }
}
