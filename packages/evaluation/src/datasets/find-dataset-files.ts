import { compilePathGlob, rowFormatOf } from "@assay/contents"
import { isAssayError } from "@assay/schemas"
import { compareCodePoints, type FilePath, type Storage, type StoredFile } from "@assay/storage"
import type { FilesUrl, FolderPath } from "./files-url.ts"
import { findFile, type FoundFile } from "./find-file.ts"

/** Row files, or the other files if there are none. */
export interface FoundFiles {
  /** Reads them. */
  readonly storage: Storage
  readonly files: readonly StoredFile[]
  /** Names of other files for messages, at most 1000. */
  readonly others: readonly string[]
}

const MAX_OTHERS = 1000

/**
 * Finds the files that `path` names, in code-point order: the file itself, with any ending; the row files of a folder; the row files
 * that a glob matches (`*` within a segment, `**` any number of segments, `?`, `[a-z]`). Without a path: every row file.
 */
export async function findDatasetFiles(
  storage: Storage,
  path: FilesUrl["path"],
  signal?: AbortSignal,
): Promise<FoundFiles> {
  const options = signal === undefined ? {} : { signal }
  const file = path === undefined || isFolder(path) ? undefined : await fileOrNothing(storage, path, options)
  if (file !== undefined) return { storage: file.storage, files: [file.file], others: [] }
  const matches = compileMatch(path)
  const files: StoredFile[] = []
  const others: string[] = []
  for await (const one of storage.list({ ...options, ...prefixOf(path) })) {
    if (rowFormatOf(one.path) !== undefined && matches(one.path)) files.push(one)
    else if (others.length < MAX_OTHERS) others.push(one.path)
  }
  if (files.length > 0) return { storage, files: files.toSorted((a, b) => compareCodePoints(a.path, b.path)), others }
  return { storage, files, others: path === undefined ? others : await someNames(storage, signal) }
}

async function fileOrNothing(
  storage: Storage,
  path: FilePath,
  options: { readonly signal?: AbortSignal },
): Promise<FoundFile | undefined> {
  try {
    return await findFile(storage, path, options)
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}

function isFolder(path: FilePath | FolderPath): path is FolderPath {
  return path.endsWith("/")
}

function compileMatch(path: string | undefined): (path: string) => boolean {
  return path !== undefined && isGlob(path) ? compilePathGlob(path) : () => true
}

/** Returns the folders before the first pattern of a glob, so that nothing outside of them is listed. */
function prefixOf(path: string | undefined): { readonly prefix?: string } {
  if (path === undefined) return {}
  if (!isGlob(path)) return { prefix: path.replace(/\/?$/, "/") }
  const segments = path.split("/")
  const fixed = segments.slice(0, segments.findIndex(isGlob))
  return fixed.length === 0 ? {} : { prefix: `${fixed.join("/")}/` }
}

function isGlob(path: string): boolean {
  return /[*?[]/.test(path)
}

async function someNames(storage: Storage, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { path } of storage.list({ signal })) {
    names.push(path)
    if (names.length >= MAX_OTHERS) break
  }
  return names
}
