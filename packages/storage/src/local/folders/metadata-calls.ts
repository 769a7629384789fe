import {
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  realpathSync,
  type BigIntStats,
  type Dir,
} from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { systemCode } from "../errors.ts"

/**
 * Reads metadata synchronously. The system answers from its memory in a few microseconds. In the thread pool a call
 * takes ten times as long, and waits behind every `fsync`. Calls that move bytes or wait for a disk stay in the thread
 * pool.
 */
export const metadataCalls = {
  /** Returns the state of a path without following a link. */
  at: (systemName: string): BigIntStats => lstatSync(systemName, { bigint: true }),
  /** Like `at`, but returns undefined if nothing is there: an error costs ten times as much as the call. */
  find: (systemName: string): BigIntStats | undefined => lstatSync(systemName, { bigint: true, throwIfNoEntry: false }),
  /** Returns the state of an open file, even if it was renamed. */
  atHandle: (handle: Pick<FileHandle, "fd">): BigIntStats => fstatSync(handle.fd, { bigint: true }),
  linkTarget: (link: string): string => readlinkSync(link),
  /** Opens a folder and returns its descriptor, which must be closed. */
  folder: (path: string): number => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY),
  /** Opens a folder to read its entries, `atATime` with one call. The result must be closed. */
  entries: (path: string, atATime: number): Dir => opendirSync(path, { bufferSize: atATime }),
  realPath: (path: string): string => realpathSync.native(path),
} as const

/** The location of an open file or folder. */
interface RealPath {
  readonly real: string
  /** A path that leads to the open file even if its name changes, if the system provides one. */
  readonly steady: string
}

/**
 * Asks the system for the path of the handle itself (Linux), so that a link created after the opening can't deceive.
 */
export async function realPathOf(handle: Pick<FileHandle, "fd">, path: string): Promise<RealPath> {
  const steady = `/proc/self/fd/${handle.fd}`
  try {
    return { real: metadataCalls.linkTarget(steady), steady }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error
    const real = metadataCalls.realPath(path)
    return { real, steady: real }
  }
}
