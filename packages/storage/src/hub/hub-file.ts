import { isFilePath, type FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"

/** The listed properties of a file, kept small because a repository can have 100,000 files. */
export interface HubFile {
  readonly path: FilePath
  readonly size: number
  /** SHA-256 of a file stored outside git, or git's SHA-1 of a file stored in git. Null if the hub states neither. */
  readonly digest: string | null
}

/** The properties of an entry that are read. None of them is trusted. */
export interface HubEntry {
  readonly type?: unknown
  readonly path?: unknown
  readonly size?: unknown
  readonly oid?: unknown
  readonly lfs?: { readonly oid?: unknown } | null | undefined
}

/**
 * Parses an entry of a listing. Returns undefined for folders and for names that are not valid paths.
 * @throws `TypeError` for an invalid entry
 */
export function parseEntry(entry: HubEntry): HubFile | undefined {
  const { type, path, size, lfs } = entry
  if (typeof type !== "string" || typeof path !== "string") throw new TypeError("an entry has no type or no path")
  if (type !== "file" || !isFilePath(path)) return undefined
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) throw new TypeError("a file has no size")
  const digest = lfs?.oid ?? entry.oid
  return { path, size, digest: typeof digest === "string" && digest !== "" ? digest : null }
}

/** Describes a file. Its ETag is the digest of its content. */
export function storedFile({ path, size, digest }: HubFile): StoredFile {
  const etag = digest === null || !/^[\x21\x23-\x7e]+$/.test(digest) ? null : `"${digest}"`
  return { path, size, etag, sha256: digest !== null && isSha256(digest) ? digest : null, updatedAt: null }
}

export function isSha256(digest: string): boolean {
  return /^[0-9a-f]{64}$/.test(digest)
}

export function isGitOid(digest: string): boolean {
  return /^[0-9a-f]{40}$/.test(digest)
}
