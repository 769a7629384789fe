import { createHash } from "node:crypto"
import type { StorageConfiguration } from "@assay/schemas"
import { parseFilePath, type FilePath } from "../file-path.ts"

/** The folder of the default storage in which cached files lie. */
export const CACHE_FOLDER = "cache"

/**
 * The key of the content behind `path`; undefined where nothing pins it: no ETag, or a weak one, which may stand for
 * other bytes as well.
 */
export function cacheKey(pin: CachePin, path: FilePath, etag: string | null): string | undefined {
  if (pin.isFixed) return digestOf([...pin.parts, path])
  const isStrong = etag !== null && !etag.startsWith("W/")
  return isStrong ? digestOf([...pin.parts, path, etag]) : undefined
}

/** Where the bytes of a key lie. */
export function cachePath(key: string): FilePath {
  return parseFilePath(`${CACHE_FOLDER}/${key.slice(0, 2)}/${key}`)
}

/** The key of what lies at a path of the cache's folder; undefined for what is none of ours. */
export function keyAtPath(path: string): string | undefined {
  const key = path.slice(path.lastIndexOf("/") + 1)
  return /^[0-9a-f]{64}$/.test(key) && path === cachePath(key) ? key : undefined
}

function digestOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}

/** What tells the files of a storage apart from those of every other one. */
interface CachePin {
  /** With a path, and the ETag where content can change, this is the same exactly for the same bytes. */
  readonly parts: readonly string[]
  /** Whether the bytes behind a path never change. */
  readonly isFixed: boolean
}

/**
 * What pins the files of a storage whose configuration is resolved. Secrets are no part of it: whoever may read the same
 * revision or version reads the same bytes. Undefined for what is not cached: local files, and what is not resolved.
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
