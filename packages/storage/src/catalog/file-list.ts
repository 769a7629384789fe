import { isAssayError } from "@assay/schemas"
import { compareCodePoints } from "../compare-code-points.ts"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { isFilePath, type FilePath } from "../file-path.ts"
import { isOrgContextMissing, type CatalogAnswer } from "./answer.ts"
import { catalogTarget, versionPath } from "./asset.ts"
import { readChecksums } from "./checksums.ts"
import type { CatalogClient } from "./client.ts"
import { explainMissing } from "./explain-missing.ts"
import { inParallel } from "./in-parallel.ts"
import { catalogPages, entriesOf } from "./pages.ts"
import { createSharedWork } from "./shared-work.ts"

/** Sizes by path, in code-point order; undefined where the catalog does not tell. */
type Sizes = Map<FilePath, number | undefined>

/** The files of a version, which never change. */
export interface FileList {
  /** Every file with its size, in code-point order. */
  sizes(signal?: AbortSignal, onProgress?: () => void): Promise<ReadonlyMap<FilePath, number>>
  /** Whether the file is there, and its size where that is told, without a request where the list is remembered. */
  find(path: FilePath, signal?: AbortSignal): Promise<{ readonly size?: number } | undefined>
  /** The list as far as it is remembered. */
  remembered(): ReadonlyMap<FilePath, number | undefined> | undefined
}

export interface FileListOptions {
  readonly client: CatalogClient
  readonly version: string
  /** Finds out the size of a file that the catalog does not tell. */
  readonly measure: (path: FilePath, signal: AbortSignal) => Promise<number>
}

/** Lists that are longer are asked for each time: a thousand open storages must not fill the memory. */
const MAX_REMEMBERED = 10_000
/** Files that can be put in order at all. */
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
    const untold = [...found].flatMap(([path, size]) => (size === undefined ? [path] : []))
    await inParallel(untold, PARALLEL_MEASURES, signal, async (path) => {
      found.set(path, await measure(path, signal))
      onProgress()
    })
    return found as Map<FilePath, number>
  })

  return {
    sizes: loadAll,
    async find(path, signal) {
      const found = kept ?? (await load(signal))
      const size = found.get(path)
      return found.has(path) ? { ...(size !== undefined && { size }) } : undefined
    },
    remembered: () => kept,
  }
}

interface Loading {
  readonly signal: AbortSignal
  /** Told of each page, and of each size. */
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

/** What is known where the catalog lists nothing: the files of which the version keeps checksums. */
async function loadPaths(
  client: CatalogClient,
  version: string,
  { words }: CatalogAnswer,
  signal: AbortSignal,
): Promise<Sizes> {
  try {
    const paths = await readChecksums(client, version, signal)
    return inOrder(paths.map((path) => [path, undefined]))
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    const target = catalogTarget(client.asset, "list", { version })
    const what = `the catalog lists its files to members of org '${client.asset.org}' alone (${words}), and it has no list of checksums either; set secret '${client.secret}' to a key of that org, and check the version.`
    throw remoteError("upstream_refused", target, what, error)
  }
}

/** None for a name that is no path of ours: such a file can't be addressed. */
function listedFile({ path, sizeInBytes }: Record<string, unknown>, target: RemoteTarget): [FilePath, number][] {
  if (typeof path !== "string" || !isFilePath(path)) return []
  const size = Number(sizeInBytes ?? Number.NaN)
  if (Number.isSafeInteger(size) && size >= 0) return [[path, size]]
  throw remoteError("upstream_failed", target, `the catalog lists '${path}' without its size; try again later.`)
}

function inOrder(files: readonly [FilePath, number | undefined][]): Sizes {
  return new Map(files.toSorted(([a], [b]) => compareCodePoints(a, b)))
}
