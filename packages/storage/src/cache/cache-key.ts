import { createHash } from "node:crypto"
import type { StorageConfiguration } from "@assay/schemas"
import { parseFilePath, type FilePath } from "../file-path.ts"

/** The folder of the default storage that contains cached files. */
export const CACHE_FOLDER = "cache"

/**
 * Returns the key of the content at `path`. Returns undefined if nothing identifies the content: the file has no ETag,
 * or a weak one, which other bytes may share.
 */
export function cacheKey(pin: CachePin, path: FilePath, etag: string | null): string | undefined {
  if (pin.isFixed) return digestOf([...pin.parts, path])
  const isStrong = etag !== null && !etag.startsWith("W/")
  return isStrong ? digestOf([...pin.parts, path, etag]) : undefined
}

/** Returns the path of the bytes of a key. */
export function cachePath(key: string): FilePath {
  return parseFilePath(`${CACHE_FOLDER}/${key.slice(0, 2)}/${key}`)
}

/** Returns the key of a path in the cache's folder, or undefined if the cache did not create the path. */
export function keyAtPath(path: string): string | undefined {
  const key = path.slice(path.lastIndexOf("/") + 1)
  return /^[0-9a-f]{64}$/.test(key) && path === cachePath(key) ? key : undefined
}

function digestOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}

/** The fields that identify the files of a storage. */
interface CachePin {
  /** Together with a path, and the ETag if content can change, these texts identify the bytes. */
  readonly parts: readonly string[]
  /** Whether the bytes at a path never change. */
  readonly isFixed: boolean
}

/**
 * Returns what identifies the files of a storage with a resolved configuration. Secrets are not included: everybody who
 * may read a revision or version reads the same bytes. Returns undefined for storages that are not cached: local ones,
 * and configurations that are not resolved.
 */
export function cachePinOf(storage: StorageConfiguration): CachePin | undefined {
  if (storage.type === "hub") {
    const { endpoint, repo_type, repo_id, revision } = storage
    return isCommit(revision) ? fixed("hub", endpoint, repo_type, repo_id, revision) : undefined
  }
  if (storage.type === "catalog") {
    const { host, org, team, target_type, target, version } = storage
    return version === undefined ? undefined : fixed("catalog", host, org, team, target_type, target, version)
  }
  if (storage.type === "objstore") {
    const { endpoint_url, region, bucket, prefix } = storage
    return { parts: texts("objstore", endpoint_url, region, bucket, prefix), isFixed: false }
  }
  return undefined
}

function isCommit(revision: string | undefined): revision is string {
  return revision !== undefined && /^[0-9a-f]{40}$/.test(revision)
}

function fixed(...parts: readonly (string | undefined)[]): CachePin {
  return { parts: texts(...parts), isFixed: true }
}

function texts(...parts: readonly (string | undefined)[]): readonly string[] {
  return parts.map((part) => part ?? "")
}
