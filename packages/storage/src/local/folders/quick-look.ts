import { constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync, type BigIntStats } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { systemCode } from "../errors.ts"

/**
 * Looks at names and their facts without a thread. The system answers from its memory in a few microseconds; to have a
 * thread ask costs ten times that, and the question waits behind every `fsync` that the threads are busy with. Whatever
 * moves bytes or waits for a disk stays with the threads.
 */
export const quickLook = {
  /** What stands at a place; a link is not followed. */
  at: (place: string): BigIntStats => lstatSync(place, { bigint: true }),
  /** What is open now, by whatever name. */
  atHandle: (handle: Pick<FileHandle, "fd">): BigIntStats => fstatSync(handle.fd, { bigint: true }),
  linkTarget: (link: string): string => readlinkSync(link),
  /** The descriptor of a folder, which has to be closed. */
  folder: (path: string): number => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY),
  realPath: (path: string): string => realpathSync.native(path),
} as const

/** Where an open file or folder lies. */
interface RealPath {
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
