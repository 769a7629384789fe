import { isAssayError } from "@assay/schemas"
import { forEachParallel } from "../for-each-parallel.ts"
import { compareCodePoints, isFilePath, parsePrefix, type FilePath } from "../file-path.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import type { ListOptions, StoredFile } from "../storage.ts"
import { isOrgContextMissing, type ApiResponse } from "./api-response.ts"
import { catalogTarget, versionPath } from "./asset.ts"
import { readChecksums } from "./checksums.ts"
import type { CatalogClient } from "./client.ts"
import { storedFile, type CatalogContext } from "./context.ts"
import { explainMissing } from "./errors.ts"
import { catalogPages, entriesOf } from "./pages.ts"
import { createSharedWork } from "./shared-work.ts"

/** Lists files. The whole list is loaded first, because the catalog pages it in an order of its own. */
export async function* listFiles(
  { client, version, files }: CatalogContext,
  { prefix = "", after = "", signal, onProgress }: ListOptions,
): AsyncGenerator<StoredFile> {
  const folder = prefix === "" ? "" : `${parsePrefix(prefix)}/`
  for (const [path, size] of await files.sizes(signal, onProgress)) {
    signal?.throwIfAborted()
    const isWanted = path.startsWith(folder) || path === prefix
    if (isWanted && compareCodePoints(path, after) > 0) yield storedFile(client.asset, version, path, size)
  }
}

/** Sizes by path, in code-point order. Undefined if the catalog does not give the size. */
type Sizes = Map<FilePath, number | undefined>

/** The files of a version. They never change. */
export interface FileList {
  /** Returns every file with its size, in code-point order. */
  sizes(signal?: AbortSignal, onProgress?: () => void): Promise<ReadonlyMap<FilePath, number>>
  /** Returns the size of a file if the file exists. No request is sent if the list is cached. */
  find(path: FilePath, signal?: AbortSignal): Promise<{ readonly size: number | undefined } | undefined>
  /** Returns the cached list, if there is one. */
  remembered(): ReadonlyMap<FilePath, number | undefined> | undefined
}

interface FileListOptions {
  readonly client: CatalogClient
  readonly version: string
  /** Finds the size of a file for which the catalog gives none. */
  readonly measure: (path: FilePath, signal: AbortSignal) => Promise<number>
}

/** Maximum length of a list that is cached: a thousand open storages must not fill the memory. */
const MAX_REMEMBERED = 10_000
/** Maximum number of files, which must be sorted in memory. */
const MAX_FILES = 1_000_000
const PARALLEL_MEASURES = 8

export function createFileList(options: FileListOptions): FileList {
  const { client, version, measure } = options
  let kept: Sizes | undefined

  const load = createSharedWork(async (signal, onProgress) => {
    const found = kept ?? (await loadSizes(client, version, { signal, onProgress }))
    if (found.size <= MAX_REMEMBERED) kept = found
    return found
  })

  const loadAll = createSharedWork(async (signal, onProgress) => {
    const found = await load(signal, onProgress)
    const unmeasured = [...found].flatMap(([path, size]) => (size === undefined ? [path] : []))
    // The first failure ends the other requests, because `forEachParallel` waits for them.
    const failed = new AbortController()
    const ended = AbortSignal.any([signal, failed.signal])
    await forEachParallel(unmeasured, PARALLEL_MEASURES, async (path) => {
      ended.throwIfAborted()
      try {
        found.set(path, await measure(path, ended))
      } catch (error) {
        failed.abort(error)
        throw error
      }
      onProgress()
    })
    return found as Map<FilePath, number>
  })

  return {
    sizes: loadAll,
    async find(path, signal) {
      const found = kept ?? (await load(signal))
      const size = found.get(path)
      return found.has(path) ? { size } : undefined
    },
    remembered: () => kept,
  }
}

interface Loading {
  readonly signal: AbortSignal
  /** Called for each page and each size. */
  readonly onProgress: () => void
}

async function loadSizes(client: CatalogClient, version: string, { signal, onProgress }: Loading): Promise<Sizes> {
  const target = catalogTarget(client.asset, "list", { version })
  const found: [FilePath, number | undefined][] = []
  for await (const page of catalogPages(client, `${versionPath(client.asset, version)}/files`, target, signal)) {
    onProgress()
    if (isOrgContextMissing(page)) return loadPaths(client, version, page, signal)
    if (page.status === 404) throw await explainMissing(client, version, target, signal)
    if (page.status !== 200) throw client.error(page, target)
    for (const entry of entriesOf(page, "Files")) found.push(...listedFile(entry, target))
    if (found.length > MAX_FILES) {
      throw remoteError(
        "upstream_failed",
        target,
        `it has more than ${MAX_FILES} files, which is more than can be listed.`,
      )
    }
  }
  const sizes = inOrder(found)
  if (sizes.size === found.length) return sizes
  throw remoteError(
    "upstream_failed",
    target,
    "the catalog lists a file twice, so that others may be missing; try again later.",
  )
}

/** Returns the files in the version's checksums, for a catalog that lists nothing. */
async function loadPaths(
  client: CatalogClient,
  version: string,
  { words }: ApiResponse,
  signal: AbortSignal,
): Promise<Sizes> {
  try {
    const paths = await readChecksums(client, version, signal)
    return inOrder(paths.map((path) => [path, undefined]))
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    const target = catalogTarget(client.asset, "list", { version })
    const what = `the catalog lists its files only to members of org '${client.asset.org}' (${words}), and the version has no list of checksums; set secret '${client.secret}' to a key of that org, and check the version.`
    throw remoteError("upstream_refused", target, what, error)
  }
}

/** Parses an entry. Returns nothing for a name that is not a valid path, because such a file can't be addressed. */
function listedFile({ path, sizeInBytes }: Record<string, unknown>, target: RemoteTarget): [FilePath, number][] {
  if (typeof path !== "string" || !isFilePath(path)) return []
  const size = Number(sizeInBytes ?? Number.NaN)
  if (Number.isSafeInteger(size) && size >= 0) return [[path, size]]
  throw remoteError("upstream_failed", target, `the catalog lists '${path}' without its size; try again later.`)
}

function inOrder(files: readonly [FilePath, number | undefined][]): Sizes {
  return new Map(files.toSorted(([a], [b]) => compareCodePoints(a, b)))
}
