import { invalidRequest, printable, type FileList } from "@assay/schemas"
import type { StoredFile } from "@assay/storage"
import { listCounted, listLevel, type FolderEntries, type InTurns } from "./browse-folder.ts"
import type { FileListQuery } from "./files.ts"
import { describeFiles, formatPageToken, parsePageToken, type DescribedFileset } from "./list-files.ts"

/** Maximum number of entries of a page. */
const MAX_ENTRIES = 1000
/** Files after which a page of a search ends. It bounds the time of a request. */
const MAX_SEARCHED = 10_000

export interface BrowsedFileset extends DescribedFileset {
  /** Lets a listing take its turns with other listings. */
  readonly inTurns: InTurns
  /** Number of files after which a page of a search ends, and which are counted below the folders of a page. Default 10,000. */
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
  const { storage, fileset, inTurns, maxLookedAt = MAX_SEARCHED } = browsed
  const { path = "", limit = MAX_ENTRIES, page_token, signal } = query
  const listing = { filesetId: fileset.id, path: JSON.stringify([path, contains]) }
  const after = page_token === undefined ? undefined : parsePageToken(listing, page_token)
  const wanted = comparable(contains)
  const found: StoredFile[] = []
  let searched = 0
  let last = ""
  for await (const file of inTurns(storage.list({ prefix: path, after, signal }))) {
    if (found.length >= Math.min(limit, MAX_ENTRIES) || searched === maxLookedAt) {
      const data = await describeFiles(browsed, found, query)
      return { data, searched, next_page_token: formatPageToken(listing, last) }
    }
    searched += 1
    last = file.path
    if (comparable(file.path).includes(wanted)) found.push(file)
  }
  return { data: await describeFiles(browsed, found, query), searched }
}

/** Joins accents to letters, as macOS does not, and shows controls as lists do. Capitals: the small form of Σ depends on what follows it. */
function comparable(text: string): string {
  return printable(text.normalize("NFC")).toUpperCase()
}

async function listFolder(browsed: BrowsedFileset, query: FileListQuery): Promise<FileList> {
  const { path = "", limit = MAX_ENTRIES, page_token, signal } = query
  const folder = path === "" || path.endsWith("/") ? path : `${path}/`
  const listing = { filesetId: browsed.fileset.id, path: JSON.stringify([folder]) }
  const after = page_token === undefined ? "" : parsePageToken(listing, page_token)
  const list = browsed.storage.level === undefined ? listCounted : listLevel
  const { files, folders, last }: FolderEntries = await list(browsed, {
    folder,
    after,
    limit: Math.min(limit, MAX_ENTRIES),
    signal,
  })
  const data = await describeFiles(browsed, files, query)
  return { data, folders, ...(last === undefined ? {} : { next_page_token: formatPageToken(listing, last) }) }
}
