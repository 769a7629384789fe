import { fileUrl, formatTimestamp, type CacheStatus, type FileInfo } from "@assay/schemas"
import type { StoredFile } from "@assay/storage"

export interface FilesetAddress {
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
