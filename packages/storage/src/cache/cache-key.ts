import { createHash } from "node:crypto"
import { parseFilePath, type FilePath } from "../file-path.ts"
import type { CachePin } from "./cache-pin.ts"

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
