import type { FileFolder } from "@assay/schemas"
import type { Storage, StoredFile, StoredFolder } from "@assay/storage"
import pLimit from "p-limit"
import type { Abortable } from "@assay/database"

/** Reads the entries of a listing, while other listings take their turns. */
export type InTurns = <Entry>(entries: AsyncIterable<Entry>) => AsyncIterable<Entry>

export interface BrowsedStorage {
  readonly storage: Storage
  readonly inTurns: InTurns
  readonly maxLookedAt?: number
}

export interface FolderQuery extends Abortable {
  /** Empty or with a slash at its end. */
  readonly folder: string
  /** The entry before the first one. A folder ends with a slash. */
  readonly after: string
  /** Maximum number of entries. */
  readonly limit: number
}

/** The files and folders of one page. */
export interface FolderEntries {
  readonly files: readonly StoredFile[]
  readonly folders: FileFolder[]
  /** The last entry of the page. Undefined if no other entry follows. */
  readonly last: string | undefined
}

/** Files that are counted below the folders of a page. Ten thousand take about 0.2 s of processor time. */
const MAX_COUNTED = 10_000
/** Requests that count folders of an object store at the same time. */
const PARALLEL = 8
/** Folders of an object store are counted if they are few, because each one costs a request. */
const MAX_REMOTE_FOLDERS = 50
/** Files of a page of an object store. A folder with more of them is not counted. */
const REMOTE_PAGE = 1000

/** Lists one level of a storage that names folders without their files, and counts as many files below the folders as there is time for. */
export async function listLevel(browsed: BrowsedStorage, query: FolderQuery): Promise<FolderEntries> {
  const { storage, inTurns } = browsed
  const { limit, ...level } = query
  const files: StoredFile[] = []
  const found: StoredFolder[] = []
  let last = ""
  let hasMore = false
  for await (const entry of inTurns(storage.level?.({ ...level, expected: limit + 1 }) ?? NO_ENTRIES)) {
    hasMore = files.length + found.length === limit
    if (hasMore) break
    last = entry.path
    if ("etag" in entry) files.push(entry)
    else found.push(entry)
  }
  return { files, folders: await countFolders(browsed, found, query), last: hasMore ? last : undefined }
}

const NO_ENTRIES: AsyncIterable<StoredFile | StoredFolder> = { async *[Symbol.asyncIterator]() {} }

/** Counts files below folders, the first folders first. A folder without a file, as on a local disk, is left out. */
async function countFolders(
  { storage, inTurns, maxLookedAt = MAX_COUNTED }: BrowsedStorage,
  folders: readonly StoredFolder[],
  { signal }: FolderQuery,
): Promise<FileFolder[]> {
  const isLocal = storage.type === "local"
  let left = isLocal || folders.length <= MAX_REMOTE_FOLDERS ? maxLookedAt : 0
  const max = isLocal ? maxLookedAt : REMOTE_PAGE
  const count = async ({ path }: StoredFolder): Promise<FileFolder> => {
    let files = 0
    let bytes = 0
    if (left <= 0) return { path, files: null, bytes: null }
    for await (const { size } of inTurns(storage.list({ prefix: path, signal }))) {
      if (left <= 0 || files === max) return { path, files: null, bytes: null }
      left -= 1
      files += 1
      bytes += size
    }
    return { path, files, bytes }
  }
  const atOnce = pLimit(isLocal ? 1 : PARALLEL)
  const counted = await Promise.all(folders.map((folder) => atOnce(() => count(folder))))
  return counted.filter(({ files }) => files !== 0)
}

/** Files after which a page ends, and which are counted below each folder, of a storage that lists only all files. */
const MAX_LISTED = 50_000

/** Lists one level of a storage that lists only all files. */
export async function listCounted(browsed: BrowsedStorage, query: FolderQuery): Promise<FolderEntries> {
  const { maxLookedAt = MAX_LISTED } = browsed
  const files: StoredFile[] = []
  const folders: FileFolder[] = []
  let count = 0
  let last = ""
  for await (const entry of countedEntries(browsed, query, maxLookedAt)) {
    if (files.length + folders.length >= query.limit || count >= maxLookedAt) return { files, folders, last }
    if ("etag" in entry) files.push(entry)
    else folders.push(entry)
    count += "etag" in entry ? 1 : (entry.files ?? maxLookedAt)
    last = entry.path
  }
  return { files, folders, last: undefined }
}

/** Yields the files and folders of a folder in code-point order. Entries below a large folder are left out after a part of it. */
async function* countedEntries(
  { storage, inTurns }: BrowsedStorage,
  { folder, after, signal }: FolderQuery,
  maxLookedAt: number,
): AsyncGenerator<StoredFile | FileFolder, void, undefined> {
  let done = after
  for (;;) {
    const isFolder = done.endsWith("/")
    let open: { path: string; files: number; bytes: number } | undefined
    // Behind all paths that begin with the folder, but for those that no keyboard writes.
    const start = isFolder ? `${done}\u{10FFFF}` : done
    for await (const file of inTurns(storage.list({ prefix: folder, after: start, signal }))) {
      if (isFolder && file.path.startsWith(done)) continue
      const end = file.path.indexOf("/", folder.length)
      const path = end < 0 ? undefined : file.path.slice(0, end + 1)
      if (open !== undefined && open.path !== path) {
        yield open
        open = undefined
      }
      if (path === undefined) {
        yield file
        continue
      }
      open ??= { path, files: 0, bytes: 0 }
      open.files += 1
      open.bytes += file.size
      if (open.files > maxLookedAt) break
    }
    if (open === undefined || open.files <= maxLookedAt) {
      if (open !== undefined) yield open
      return
    }
    yield { path: open.path, files: null, bytes: null }
    done = open.path
  }
}
