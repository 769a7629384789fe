import { createHash } from "node:crypto"
import {
  AssayError,
  fileUrl,
  formatTimestamp,
  type CacheStatus,
  type FileInfo,
  type FilesetUsage,
} from "@assay/schemas"
import { isCachingStorage, type Storage, type StoredFile } from "@assay/storage"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { FileListQuery } from "./files.ts"
import type { FileBatches, FileListing, Listings } from "./share-listings.ts"

interface FilesetAddress {
  readonly workspace: string
  readonly name: string
}

/** Returns the record of a file. */
export function fileInfoOf(
  { path, size, etag, sha256, updatedAt }: StoredFile,
  { workspace, name }: FilesetAddress,
  cache_status: CacheStatus | null = null,
): FileInfo {
  return {
    path,
    size,
    file_url: fileUrl(workspace, name, path),
    file_ref: `${workspace}/${name}#${path}`,
    cache_status,
    etag,
    sha256,
    updated_at: updatedAt === null ? null : formatTimestamp(updatedAt),
  }
}

interface FileListPage {
  readonly data: FileInfo[]
  readonly next_page_token?: string
}

/** Receives the size of a fileset after a listing of all its files. */
type OnUsage = (fileset: FilesetRow, usage: FilesetUsage) => Promise<void>

/** Files of one batch. It bounds the memory of a listing, and how long one of its turns keeps other requests waiting. */
const BATCH = 256

/**
 * Lists the files of a fileset in the order of their paths, at most `limit`, in batches. Holds one batch at a time. Returns
 * the token of the next page, or undefined after the last file.
 */
export async function* streamFiles(
  storage: Storage,
  fileset: FilesetRow,
  query: FileListQuery,
  onUsage: OnUsage,
): FileBatches {
  const { path = "", limit = Infinity, page_token, signal } = query
  const listing = { filesetId: fileset.id, path }
  const after = page_token === undefined ? undefined : parsePageToken(listing, page_token)
  const describe = (files: readonly StoredFile[]) => describeFiles({ storage, fileset }, files, query)
  let batch: StoredFile[] = []
  let count = 0
  let bytes = 0
  let last = ""
  for await (const file of storage.list({ prefix: path, after, signal })) {
    if (count === limit) {
      yield await describe(batch)
      return formatPageToken(listing, last)
    }
    // Asked for another file after a full batch: an empty batch is never yielded between two others.
    if (batch.length === BATCH) {
      yield await describe(batch)
      batch = []
    }
    batch.push(file)
    count += 1
    bytes += file.size
    last = file.path
  }
  yield await describe(batch)
  if (path === "" && after === undefined) await onUsage(fileset, { files: count, bytes })
  return undefined
}

export interface DescribedFileset {
  readonly storage: Storage
  readonly fileset: FilesetAddress & Pick<FilesetRow, "id">
}

/** Returns the records of files. */
export async function describeFiles(
  { storage, fileset }: DescribedFileset,
  files: readonly StoredFile[],
  { include_cache_status = false }: FileListQuery,
): Promise<FileInfo[]> {
  // Local files are never in the cache, so it need not be asked.
  const statuses = include_cache_status || !isCachingStorage(storage) ? await cacheStatuses(storage, files) : []
  return files.map((file, index) => fileInfoOf(file, fileset, statuses[index]))
}

/** Lists all files of a fileset on the disk of the server. Equal requests share a listing. */
export function shareFiles({
  listings,
  storage,
  fileset,
  query: { signal, ...query },
  onUsage,
}: {
  readonly listings: Listings
  readonly storage: Storage
  readonly fileset: FilesetRow
  readonly query: FileListQuery
  readonly onUsage: OnUsage
}): FileListing {
  const { id, workspace, name, subfolder } = fileset
  const { path = "", include_cache_status } = query
  return listings.share({
    key: JSON.stringify([id, workspace, name, subfolder, path, include_cache_status]),
    signal,
    list(after, signal) {
      const page_token = after === undefined ? undefined : formatPageToken({ filesetId: id, path }, after)
      return streamFiles(storage, fileset, { ...query, page_token, signal }, onUsage)
    },
  })
}

/** Lists the files of a fileset in the order of their paths, at most `limit`, as one page in memory. */
export async function listFiles(
  storage: Storage,
  fileset: FilesetRow,
  query: FileListQuery,
  onUsage: OnUsage,
): Promise<FileListPage> {
  const batches = streamFiles(storage, fileset, query, onUsage)
  const data: FileInfo[] = []
  for (;;) {
    const { done, value } = await batches.next()
    if (done === true) return value === undefined ? { data } : { data, next_page_token: value }
    data.push(...value)
  }
}

/** Returns the cache status of files. Local files, and files that nothing pins to a content, are never in the cache. */
async function cacheStatuses(storage: Storage, files: readonly StoredFile[]): Promise<readonly CacheStatus[]> {
  return isCachingStorage(storage) ? storage.cacheStatuses(files) : files.map(() => "not_cacheable")
}

/** The listing of a page token. */
interface Listing {
  readonly filesetId: string
  readonly path: string
}

/** Formats a token for the files of a listing after the file `last`. */
export function formatPageToken(listing: Listing, last: string): string {
  return Buffer.from(JSON.stringify([last, checksum(listing, last)])).toString("base64url")
}

/**
 * Returns the file after which a page begins.
 * @throws `bad_page_token` if the token is from another listing or was changed
 */
export function parsePageToken(listing: Listing, token: string): string {
  const parts = readParts(token)
  if (parts !== undefined && parts[1] === checksum(listing, parts[0])) return parts[0]
  const message =
    "The page token was not issued for this listing; use `next_page_token` of the previous response unchanged."
  throw new AssayError("bad_page_token", message)
}

/** Detects tokens that were cut or mixed up. It does not protect against forgery, which would gain nothing. */
function checksum({ filesetId, path }: Listing, last: string): string {
  return createHash("sha256")
    .update(JSON.stringify([filesetId, path, last]))
    .digest("base64url")
    .slice(0, 12)
}

function readParts(token: string): [string, string] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, "base64url").toString())
    if (!Array.isArray(parts) || parts.length !== 2) return undefined
    const [last, sum]: unknown[] = parts
    return typeof last === "string" && typeof sum === "string" ? [last, sum] : undefined
  } catch {
    return undefined
  }
}
