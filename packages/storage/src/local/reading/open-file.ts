import type { BigIntStats } from "node:fs"
import { isAssayError } from "@assay/schemas"
import type { ResolvedRange } from "../../byte-range.ts"
import type { FilePath } from "../../file-path.ts"
import type { StoredFile } from "../../storage.ts"
import type { LocalContext } from "../context.ts"
import { fileChanged, fileNotFound } from "../errors.ts"
import { fileVersion, storedFile, isSameVersion } from "../file-version.ts"
import { metadataCalls } from "../folders/metadata-calls.ts"
import type { ContentCheck } from "../verifying/content-checks.ts"
import { isTemporaryPath } from "../writing/temporary-file.ts"
import { findFile, findWithoutLinks, openFound, type FoundFile } from "./find-file.ts"
import type { ReadableFile } from "./readable-file.ts"

/** Maximum number of attempts to open a file that is being replaced. */
const MAX_ATTEMPTS = 20

/** One open version of a file. Replacing the file under its name does not affect it. */
export interface OpenFile {
  readonly stored: StoredFile
  /** The part to read. `end` is before `start` if there is nothing to read. */
  readonly part: ResolvedRange
  /** The first piece of the part. It is read at opening, so that immediate errors occur before anything is returned. */
  readonly first: Uint8Array
  /**
   * Compares the bytes with their digest. Undefined if the digest is unknown, or a comparison is not requested or was
   * done recently.
   */
  readonly check: ContentCheck | undefined
  /**
   * Reads one piece.
   * @throws `storage_changed` if the file is no longer the version that was opened
   */
  readPiece(start: number): Promise<Uint8Array>
  /** Takes back the memory of a piece for a later one. */
  readonly release: (piece: Uint8Array) => void
  close(): Promise<void>
}

/**
 * Returns the part of a file to read.
 * @throws an error for an invalid range
 */
type ChoosePart = (file: StoredFile) => ResolvedRange

interface OpenFileOptions {
  /** Whether all bytes will be read and can be compared with the digest. Default false. */
  readonly isWhole?: boolean | undefined
  /** The expected digest if the index has none. */
  readonly sha256?: string | undefined
}

/** Opens the file at `path` and reads the first piece of the part that `choosePart` returns. */
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
      if (attempt === MAX_ATTEMPTS || !isAssayError(error, "storage_changed")) throw error
    }
  }
}

async function tryToOpen(
  local: LocalContext,
  path: FilePath,
  choosePart: ChoosePart,
  { isWhole = false, sha256: given }: OpenFileOptions,
): Promise<OpenFile> {
  const { file, stats, sha256 } =
    (await openWithoutLinks(local, path)) ?? (await openFoundFile(local, path, await findFile(local.root, path)))
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
      return readPiece(file, { path, start, into, stats })
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
        // A shorter piece is the last one.
        if (piece.byteLength === local.readChunkSize) spare.push(piece)
      },
      close: async () => file.close(),
    }
  } catch (error) {
    check?.cancel()
    file.close()
    throw error
  }
}

interface OpenedFile {
  readonly file: ReadableFile
  readonly stats: BigIntStats
  readonly sha256: string | undefined
}

/**
 * Opens a file under its path as it is, which needs fewer calls than to resolve the links of its folder first. Undefined if
 * this fails: the path contains a link, or has an error that must be reported after its links were resolved.
 */
async function openWithoutLinks(local: LocalContext, path: FilePath): Promise<OpenedFile | undefined> {
  const found = findWithoutLinks(local.root, path)
  return found && openFoundFile(local, path, found).catch(() => undefined)
}

async function openFoundFile(local: LocalContext, path: FilePath, found: FoundFile): Promise<OpenedFile> {
  const { realPath, stats } = found
  // Look up the digest before opening. A digest is removed only after its file has lost its name, which shows on the
  // open file.
  const sha256 = await local.digests.get(fileVersion(realPath, stats))
  return { file: await openFound(local.root, found, path), stats, sha256 }
}

function allocate(length: number, isShared: boolean): Uint8Array {
  return isShared ? Buffer.from(new SharedArrayBuffer(length)) : Buffer.allocUnsafe(length)
}

interface Piece {
  readonly path: FilePath
  readonly start: number
  /** Buffer with the length of the piece. It is filled completely. */
  readonly into: Uint8Array
  /** The state of the file when it was found. */
  readonly stats: BigIntStats
}

interface ReadPiece {
  readonly bytes: Uint8Array
  /** Whether the file still has a name. A replaced or deleted file has none, but can be read to its end. */
  readonly isNamed: boolean
}

/**
 * Reads one piece, then checks that the file is still the version that was found.
 * @throws `storage_changed` if it is not, or is too short
 */
async function readPiece(file: ReadableFile, { path, start, into, stats }: Piece): Promise<ReadPiece> {
  let filled = 0
  while (filled < into.byteLength) {
    const bytesRead = await file.read(into.subarray(filled), start + filled)
    if (bytesRead === 0) throw fileChanged(path)
    filled += bytesRead
  }
  const now = metadataCalls.atHandle(file)
  if (!isSameVersion(stats, now)) throw fileChanged(path)
  return { bytes: into, isNamed: now.nlink > 0n }
}
