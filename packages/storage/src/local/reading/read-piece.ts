import type { BigIntStats } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import type { FilePath } from "../../file-path.ts"
import { fileChanged } from "../errors.ts"
import { isSameVersion } from "../file-version.ts"
import { quickLook } from "../folders/quick-look.ts"

export interface Piece {
  readonly path: FilePath
  readonly start: number
  /** As long as the piece; it is filled whole. */
  readonly into: Uint8Array
  /** The file as it was found. */
  readonly stats: BigIntStats
}

export interface ReadPiece {
  readonly bytes: Uint8Array
  /** Whether the file still has a name: one that was replaced or deleted has none, and can be read to its end. */
  readonly isNamed: boolean
}

/**
 * Reads one piece, and looks afterwards whether the file is still the one that was found.
 * @throws `storage_changed` where it is not, or is too short
 */
export async function readPiece(handle: FileHandle, { path, start, into, stats }: Piece): Promise<ReadPiece> {
  let filled = 0
  while (filled < into.byteLength) {
    const { bytesRead } = await handle.read(into, filled, into.byteLength - filled, start + filled)
    if (bytesRead === 0) throw fileChanged(path)
    filled += bytesRead
  }
  const now = quickLook.atHandle(handle)
  if (!isSameVersion(stats, now)) throw fileChanged(path)
  return { bytes: into, isNamed: now.nlink > 0n }
}
