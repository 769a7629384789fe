import type { FileInfo } from "@assay/schemas"
import type { Storage } from "@assay/storage"
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
  const { path = "", limit = Infinity, page_token } = query
  const listing = { filesetId: fileset.id, path }
  const after = page_token === undefined ? {} : { after: parsePageToken(listing, page_token) }
  // Local files are as near as they can be.
  const cacheStatus = storage.type === "local" ? "not_cacheable" : "not_cached"
  const data: FileInfo[] = []
  for await (const file of storage.list({ prefix: path, ...after })) {
    const last = data.at(-1)
    if (data.length >= limit && last !== undefined) {
      return { data, next_page_token: formatPageToken(listing, last.path) }
    }
    data.push(fileInfoOf(file, fileset, cacheStatus))
  }
  return { data }
}
