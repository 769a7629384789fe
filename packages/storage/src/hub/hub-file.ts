import { isFilePath, type FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"

/** What a listing tells of a file, and no more: a repository can have a hundred thousand of them. */
export interface HubFile {
  readonly path: FilePath
  readonly size: number
  /** SHA-256 of a file that lies beside git, git's SHA-1 of one that lies in it; null where the hub tells neither. */
  readonly digest: string | null
}

/** The parts of an entry that are looked at; nothing of it is trusted. */
export interface HubEntry {
  readonly type?: unknown
  readonly path?: unknown
  readonly size?: unknown
  readonly oid?: unknown
  readonly lfs?: { readonly oid?: unknown } | null | undefined
}

/**
 * The file that an entry of a listing is; undefined for folders, and for names that no path of ours can spell.
 * @throws `TypeError` for what is no entry
 */
export function parseEntry(entry: HubEntry): HubFile | undefined {
  const { type, path, size, lfs } = entry
  if (typeof type !== "string" || typeof path !== "string") throw new TypeError("an entry has no type or no path")
  if (type !== "file" || !isFilePath(path)) return undefined
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) throw new TypeError("a file has no size")
  const digest = lfs?.oid ?? entry.oid
  return { path, size, digest: typeof digest === "string" && digest !== "" ? digest : null }
}

/** Content named by its digest: the ETag is the digest in quotes. */
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
