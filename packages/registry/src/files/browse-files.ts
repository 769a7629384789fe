import { invalidRequest, type FileFolder, type FileList } from "@assay/schemas"
import type { ListOptions, Storage, StoredFile } from "@assay/storage"
import type { FileListQuery } from "./files.ts"
import { describeFiles, formatPageToken, parsePageToken, type DescribedFileset } from "./list-files.ts"

/** Maximum number of entries of a page. */
const MAX_ENTRIES = 1000
const MAX_LOOKED_AT = 50_000

/** Reads files of a storage, while other listings take their turns. */
export type ListStored = (storage: Storage, options: ListOptions) => AsyncIterable<StoredFile>

export interface BrowsedFileset extends DescribedFileset {
  readonly list: ListStored
  /** Number of files after which a page ends, and which are counted below a folder. It bounds the time of a request. Default 50,000. */
  readonly maxLookedAt?: number
}

/** Returns whether a query is one for `browseFiles`. */
export function isBrowsing({ recursive, contains }: FileListQuery): boolean {
  return recursive === false || (contains ?? "") !== ""
}

/** Lists one level of a folder, or finds files by a part of their paths. A page can be short or empty before the last one. */
export async function browseFiles(browsed: BrowsedFileset, query: FileListQuery): Promise<FileList> {
  const { recursive, contains = "" } = query
  if (contains === "") return listFolder(browsed, query)
  if (recursive !== false) return findFiles(browsed, query, contains)
  const message = "`contains` searches all levels; leave out `recursive=false`, and name the folder in `path`."
  throw invalidRequest(["query", "contains"], message, "value_error", contains)
}

async function findFiles(browsed: BrowsedFileset, query: FileListQuery, contains: string): Promise<FileList> {
  const { storage, fileset, list, maxLookedAt = MAX_LOOKED_AT } = browsed
  const { path = "", limit = MAX_ENTRIES, page_token, signal } = query
  const listing = { filesetId: fileset.id, path: JSON.stringify([path, contains]) }
  const after = page_token === undefined ? undefined : parsePageToken(listing, page_token)
  const wanted = comparable(contains)
  const found: StoredFile[] = []
  let count = 0
  let last = ""
  for await (const file of list(storage, { prefix: path, after, signal })) {
    if (found.length >= Math.min(limit, MAX_ENTRIES) || count === maxLookedAt) {
      return { data: await describeFiles(browsed, found, query), next_page_token: formatPageToken(listing, last) }
    }
    count += 1
    last = file.path
    if (comparable(file.path).includes(wanted)) found.push(file)
  }
  return { data: await describeFiles(browsed, found, query) }
}

/** Names of macOS have accents apart from their letters. */
function comparable(text: string): string {
  return text.normalize("NFC").toLowerCase()
}

async function listFolder(browsed: BrowsedFileset, query: FileListQuery): Promise<FileList> {
  const { path = "", limit = MAX_ENTRIES, page_token } = query
  const { fileset, maxLookedAt = MAX_LOOKED_AT } = browsed
  const folder = path === "" || path.endsWith("/") ? path : `${path}/`
  const listing = { filesetId: fileset.id, path: JSON.stringify([folder]) }
  const after = page_token === undefined ? "" : parsePageToken(listing, page_token)
  const files: StoredFile[] = []
  const folders: FileFolder[] = []
  let count = 0
  let last = ""
  let next: string | undefined
  for await (const entry of entriesOf(browsed, { ...query, folder, after })) {
    if (files.length + folders.length >= Math.min(limit, MAX_ENTRIES) || count >= maxLookedAt) {
      next = formatPageToken(listing, last)
      break
    }
    if ("etag" in entry) files.push(entry)
    else folders.push(entry)
    count += "etag" in entry ? 1 : (entry.files ?? maxLookedAt)
    last = entry.path
  }
  const data = await describeFiles(browsed, files, query)
  return { data, folders, ...(next === undefined ? {} : { next_page_token: next }) }
}

interface FolderQuery extends Pick<FileListQuery, "signal"> {
  /** Empty or with a slash at its end. */
  readonly folder: string
  /** The entry before the first one. A folder ends with a slash. */
  readonly after: string
}

/** Yields the files and folders of a folder in code-point order. Entries below a large folder are left out after a part of it. */
async function* entriesOf(
  { storage, list, maxLookedAt = MAX_LOOKED_AT }: BrowsedFileset,
  { folder, after, signal }: FolderQuery,
): AsyncGenerator<StoredFile | FileFolder, void, undefined> {
  let done = after
  for (;;) {
    const isFolder = done.endsWith("/")
    let open: { path: string; files: number; bytes: number } | undefined
    // Behind all paths that begin with the folder, but for those that no keyboard writes.
    const start = isFolder ? `${done}\u{10FFFF}` : done
    for await (const file of list(storage, { prefix: folder, after: start, signal })) {
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
