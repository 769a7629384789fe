import { constants, type BigIntStats } from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import { dirname } from "node:path"
import { isAssayError } from "@assay/schemas"
import type { FilePath } from "../file-path.ts"
import type { ResolvedRange } from "../resolve-range.ts"
import type { StoredFile } from "../storage.ts"
import { fileChanged, fileNotFound, outsideRoot, systemCode } from "./errors.ts"
import { fileVersion, isSameVersion, storedFile } from "./file-version.ts"
import type { LocalContext } from "./local-context.ts"
import { lookUp } from "./look-up.ts"
import { realPathOf } from "./real-path.ts"
import { pathWithin, resolveFolder, systemPath } from "./root.ts"
import { folderOf, joinPath, nameOf } from "./split-path.ts"
import { isTemporaryPath } from "./temporary-files.ts"

/** A link at the end is not followed, and a pipe that took the file's place does not block. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** How often a file may be replaced between two steps of its opening. */
const ATTEMPTS = 20

/** One version of a file, open. A file that replaces it under its name does not disturb it. */
export interface OpenFile {
  readonly stored: StoredFile
  /** The part to read; `end` is before `start` where there is nothing to read. */
  readonly part: ResolvedRange
  /** The part's first piece, read already, so that what fails at once fails before anything was answered. */
  readonly first: Uint8Array
  /** @throws `storage_changed` where the file is not what it was when it was opened */
  readPiece(start: number): Promise<Uint8Array>
  close(): Promise<void>
}

/** Opens the file at `path` and reads the first piece of the part that `choosePart` names. */
export async function openFile(
  local: LocalContext,
  path: FilePath,
  choosePart: (file: StoredFile) => ResolvedRange,
): Promise<OpenFile> {
  if (isTemporaryPath(path)) throw fileNotFound(path)
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToOpen(local, path, choosePart)
    } catch (error) {
      if (attempt === ATTEMPTS || !isAssayError(error, "storage_changed")) throw error
    }
  }
}

async function tryToOpen(
  local: LocalContext,
  path: FilePath,
  choosePart: (file: StoredFile) => ResolvedRange,
): Promise<OpenFile> {
  const { realPath, stats } = await findFile(local.root, path)
  // Before the opening: a digest is forgotten only when its file is replaced, and that shows on the open file.
  const sha256 = await local.digests.get(fileVersion(realPath, stats))
  const handle = await openFound(local.root, realPath, path)
  try {
    await checkPlace(local.root, handle, realPath, path)
    const stored = storedFile(path, stats, sha256)
    const part = choosePart(stored)
    const readPiece = (start: number) =>
      readSame(handle, { start, end: part.end, most: local.readChunkSize, stats, path })
    const { bytes: first, links } = await readPiece(part.start)
    if (sha256 === undefined && links === 0n) throw fileChanged(path)
    return {
      stored,
      part,
      first,
      readPiece: async (start) => (await readPiece(start)).bytes,
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** @throws `not_found` for what is no file, `bad_path` for what lies outside */
async function findFile(root: string, path: FilePath): Promise<{ realPath: string; stats: BigIntStats }> {
  const folder = await resolveFolder(root, folderOf(path)).catch((error: unknown) => {
    throw systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR" ? fileNotFound(path) : error
  })
  const realPath = joinPath(folder, nameOf(path))
  const entry = await lookUp(root, systemPath(root, realPath), realPath)
  if (entry.kind === "outside") throw outsideRoot(path)
  if (entry.kind !== "file") throw fileNotFound(path)
  return { realPath: entry.path, stats: entry.stats }
}

async function openFound(root: string, realPath: string, path: FilePath): Promise<FileHandle> {
  try {
    return await open(systemPath(root, realPath), FLAGS)
  } catch (error) {
    // Gone, or replaced by something that is no file, since it was looked at.
    const code = systemCode(error) ?? ""
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(code)) throw fileChanged(path)
    throw error
  }
}

/** Of a file that was replaced since, the system marks the name; its folder is still told. */
async function checkPlace(root: string, handle: FileHandle, realPath: string, path: FilePath): Promise<void> {
  const { real } = await realPathOf(handle, systemPath(root, realPath))
  if ((await pathWithin(root, dirname(real))) !== folderOf(realPath)) throw fileChanged(path)
}

interface Piece {
  readonly start: number
  readonly end: number
  readonly most: number
  readonly stats: BigIntStats
  readonly path: FilePath
}

/** Reads one piece and looks afterwards whether the file is still the one that `stats` tells of. */
async function readSame(handle: FileHandle, piece: Piece): Promise<{ bytes: Uint8Array; links: bigint }> {
  const { start, end, most, stats, path } = piece
  const length = Math.min(end - start + 1, most)
  const bytes = Buffer.allocUnsafe(Math.max(0, length))
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled)
    if (bytesRead === 0) throw fileChanged(path)
    filled += bytesRead
  }
  const now = await handle.stat({ bigint: true })
  if (!isSameVersion(stats, now)) throw fileChanged(path)
  return { bytes, links: now.nlink }
}
