import { compilePathGlob, rowFormatOf } from "@assay/contents"
import { isAssayError } from "@assay/schemas"
import { compareCodePoints, parseFilePath, type Storage, type StoredFile } from "@assay/storage"

/** Row files, or, where there are none, what there is instead. */
export interface FoundFiles {
  readonly files: readonly StoredFile[]
  /** For messages: names of files below, not all of them. */
  readonly others: readonly string[]
}

const MAX_OTHERS = 1000

/**
 * The files that `path` names, by code point: the file itself, whatever its name ends in; the row files of a folder; those that
 * a glob matches (`*` within a segment, `**` any number of segments, `?`, `[a-z]`); every row file without a path.
 */
export async function findDatasetFiles(
  storage: Storage,
  path: string | undefined,
  signal?: AbortSignal,
): Promise<FoundFiles> {
  const options = signal === undefined ? {} : { signal }
  const file = path === undefined || path.endsWith("/") ? undefined : await statOrNothing(storage, path, options)
  if (file !== undefined) return { files: [file], others: [] }
  const matches = compileMatch(path)
  const files: StoredFile[] = []
  const others: string[] = []
  for await (const one of storage.list({ ...options, ...prefixOf(path) })) {
    if (rowFormatOf(one.path) !== undefined && matches(one.path)) files.push(one)
    else if (others.length < MAX_OTHERS) others.push(one.path)
  }
  if (files.length > 0) return { files: files.toSorted((a, b) => compareCodePoints(a.path, b.path)), others }
  return { files, others: path === undefined ? others : await someNames(storage, signal) }
}

async function statOrNothing(
  storage: Storage,
  path: string,
  options: { readonly signal?: AbortSignal },
): Promise<StoredFile | undefined> {
  try {
    return await storage.stat(parseFilePath(path), options)
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}

function compileMatch(path: string | undefined): (path: string) => boolean {
  return path !== undefined && isGlob(path) ? compilePathGlob(path) : () => true
}

/** The folders in front of the first segment that is a pattern: nothing outside is listed. */
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
  for await (const { path } of storage.list(signal === undefined ? {} : { signal })) {
    names.push(path)
    if (names.length >= MAX_OTHERS) break
  }
  return names
}
