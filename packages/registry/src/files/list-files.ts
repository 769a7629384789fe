import { createHash } from "node:crypto"
import { type FileInfo, type CacheStatus, AssayError } from "@assay/schemas"
import { type Storage, type StoredFile, isCachingStorage } from "@assay/storage"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { FileListQuery } from "../registry.ts"
import { fileInfoOf } from "./file-info.ts"

export interface FileListPage {
  readonly data: FileInfo[]
  readonly next_page_token?: string
}

/** The files of a fileset in the order of their paths, up to `limit`. */
export async function listFiles(storage: Storage, fileset: FilesetRow, query: FileListQuery): Promise<FileListPage> {
  const { path = "", limit = Infinity, page_token, include_cache_status = false, signal } = query
  const listing = { filesetId: fileset.id, path }
  const after = page_token === undefined ? {} : { after: parsePageToken(listing, page_token) }
  const files: StoredFile[] = []
  let hasMore = false
  for await (const file of storage.list({ prefix: path, ...after, ...(signal === undefined ? {} : { signal }) })) {
    hasMore = files.length >= limit
    if (hasMore) break
    files.push(file)
  }
  const statuses = include_cache_status ? await cacheStatuses(storage, files) : []
  const data = files.map((file, index) => fileInfoOf(file, fileset, statuses[index]))
  const last = hasMore ? data.at(-1) : undefined
  return last === undefined ? { data } : { data, next_page_token: formatPageToken(listing, last.path) }
}

/** How files of a listing stand with the read cache: what is not far, or is pinned by nothing, is never in it. */
export async function cacheStatuses(storage: Storage, files: readonly StoredFile[]): Promise<readonly CacheStatus[]> {
  return isCachingStorage(storage) ? storage.cacheStatuses(files) : files.map(() => "not_cacheable")
}

/** The listing that a page token belongs to. */
export interface Listing {
  readonly filesetId: string
  readonly path: string
}

/** A token for the files of a listing that come after the file `last`. */
export function formatPageToken(listing: Listing, last: string): string {
  return Buffer.from(JSON.stringify([last, checksum(listing, last)])).toString("base64url")
}

/** The file after which a page begins. @throws `bad_page_token` for a token of another listing, and a changed one */
export function parsePageToken(listing: Listing, token: string): string {
  const parts = readParts(token)
  if (parts !== undefined && parts[1] === checksum(listing, parts[0])) return parts[0]
  const message =
    "The page token was not issued for this listing; take `next_page_token` of the answer before, unchanged."
  throw new AssayError("bad_page_token", message)
}

/** Not against forgery, which would gain nothing, but against tokens that were cut or mixed up. */
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
