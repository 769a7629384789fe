import type { BigIntStats } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { isAssayError } from "@assay/schemas"
import type { ResolvedRange } from "../../byte-range.ts"
import type { FilePath } from "../../file-path.ts"
import type { StoredFile } from "../../storage.ts"
import type { LocalContext } from "../context.ts"
import { fileChanged, fileNotFound } from "../errors.ts"
import { fileVersion, storedFile, isSameVersion } from "../file-version.ts"
import { quickLook } from "../folders/quick-look.ts"
import type { ContentCheck } from "../verify/content-checks.ts"
import { isTemporaryPath } from "../writing/temporary-file.ts"
import { findFile, openFound } from "./find-file.ts"

/** How often a file may be replaced between two steps of its opening. */
const ATTEMPTS = 20

/** One version of a file, open. A file that replaces it under its name does not disturb it. */
export interface OpenFile {
  readonly stored: StoredFile
  /** The part to read; `end` is before `start` where there is nothing to read. */
  readonly part: ResolvedRange
  /** The part's first piece, read already: what fails at once fails before anything was answered. */
  readonly first: Uint8Array
  /** Compares the bytes with their digest; undefined if that is not known, not asked for or was done lately. */
  readonly check: ContentCheck | undefined
  /** @throws `storage_changed` where the file is not what it was when it was opened */
  readPiece(start: number): Promise<Uint8Array>
  /** Takes back the memory of a piece, for a later one. */
  readonly release: (piece: Uint8Array) => void
  close(): Promise<void>
}

/** Names the part to read of a file. @throws what is wrong with the part that was asked for */
type ChoosePart = (file: StoredFile) => ResolvedRange

interface OpenFileOptions {
  /** Whether all bytes will be read, which can then be compared with the digest. Default false. */
  readonly isWhole?: boolean
  /** The digest that they must have, if the index has none. */
  readonly sha256?: string | undefined
}

/** Opens the file at `path` and reads the first piece of the part that `choosePart` names. */
export async function openFile(
  local: LocalContext,
  path: FilePath,
  choosePart: ChoosePart,
  options: OpenFileOptions = {},
): Promise<OpenFile> {
  if (isTemporaryPath(path)) throw fileNotFound(path)
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToOpen(local, path, choosePart, options)
    } catch (error) {
      if (attempt === ATTEMPTS || !isAssayError(error, "storage_changed")) throw error
    }
  }
}

async function tryToOpen(
  local: LocalContext,
  path: FilePath,
  choosePart: ChoosePart,
  { isWhole = false, sha256: given }: OpenFileOptions,
): Promise<OpenFile> {
  const found = await findFile(local.root, path)
  const { realPath, stats } = found
  // Before the opening: a digest is forgotten only when its file has lost its name, and that shows on the open file.
  const sha256 = await local.digests.get(fileVersion(realPath, stats))
  const handle = await openFound(local.root, found, path)
  let check: ContentCheck | undefined
  try {
    const isDamaged = local.checks?.isDamaged(stats) === true
    const stored = storedFile(path, stats, isDamaged ? undefined : sha256)
    const part = choosePart(stored)
    const expected = sha256 ?? given
    if (isWhole && expected !== undefined && stored.size > 0) {
      check = local.checks?.begin({ root: local.root, path, stats, sha256: expected })
    }
    const spare: Uint8Array[] = []
    const read = (start: number) => {
      const length = Math.max(0, Math.min(part.end - start + 1, local.readChunkSize))
      const into = spare.pop()?.subarray(0, length) ?? allocate(length, check?.isThreaded === true)
      return readPiece(handle, { path, start, into, stats })
    }
    const { bytes: first, isNamed } = await read(part.start)
    if (sha256 === undefined && !isNamed) throw fileChanged(path)
    return {
      stored,
      part,
      first,
      check,
      readPiece: async (start) => (await read(start)).bytes,
      release(piece) {
        // A shorter one is the last.
        if (piece.byteLength === local.readChunkSize) spare.push(piece)
      },
      close: () => handle.close(),
    }
  } catch (error) {
    check?.cancel()
    await handle.close()
    throw error
  }
}

function allocate(length: number, isShared: boolean): Uint8Array {
  return isShared ? Buffer.from(new SharedArrayBuffer(length)) : Buffer.allocUnsafe(length)
}

interface Piece {
  readonly path: FilePath
  readonly start: number
  /** As long as the piece; it is filled whole. */
  readonly into: Uint8Array
  /** The file as it was found. */
  readonly stats: BigIntStats
}

interface ReadPiece {
  readonly bytes: Uint8Array
  /** Whether the file still has a name: one that was replaced or deleted has none, and can be read to its end. */
  readonly isNamed: boolean
}

/**
 * Reads one piece, and looks afterwards whether the file is still the one that was found.
 * @throws `storage_changed` where it is not, or is too short
 */
async function readPiece(handle: FileHandle, { path, start, into, stats }: Piece): Promise<ReadPiece> {
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
