import type { FileInfo } from "@assay/schemas"

/** The facts about a file that the header fields of a response contain. */
export interface FileFacts {
  readonly size: number
  readonly etag: string | null
  /** Lower-case hex. */
  readonly sha256: string | null
  /** Milliseconds since 1970, UTC. */
  readonly updatedAt: number | null
}

/** Returns the facts for header fields from a file info. */
export function factsOf({ size, etag, sha256, updated_at }: FileInfo): FileFacts {
  return { size, etag, sha256, updatedAt: updated_at === null ? null : Date.parse(updated_at) }
}

/** The bytes are those of users: whatever a browser takes them for, nothing in them runs with the rights of this server's pages. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Returns the header fields that HEAD and GET have in common.
 * @param contentType default `application/octet-stream`
 */
export function fileHeaders(file: FileFacts, contentType = "application/octet-stream"): Record<string, string> {
  return {
    "accept-ranges": "bytes",
    "content-type": contentType,
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    ...(file.etag === null ? {} : { etag: file.etag }),
    ...(file.sha256 === null ? {} : { "x-checksum-sha256": file.sha256 }),
    ...(file.updatedAt === null ? {} : { "last-modified": new Date(file.updatedAt).toUTCString() }),
  }
}
