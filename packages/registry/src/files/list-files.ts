import type { FileInfo } from "@assay/schemas"
import type { Storage, StoredFile } from "@assay/storage"
import { cacheStatuses } from "../cache/cache-statuses.ts"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { FileListQuery } from "../registry.ts"
import { fileInfoOf } from "./file-info.ts"
import { formatPageToken, parsePageToken } from "./page-token.ts"

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
