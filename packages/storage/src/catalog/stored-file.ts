import { createHash } from "node:crypto"
import type { FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"
import type { CatalogAsset } from "./asset.ts"

/**
 * A file of a pinned version. The catalog tells no digest; but a version never changes, so its name, the path and the size
 * stand for the content.
 */
export function storedFile(asset: CatalogAsset, version: string, path: FilePath, size: number): StoredFile {
  const { org, team = "", name, kind } = asset
  const named = JSON.stringify([org, team, kind, name, version, path, size])
  const etag = `"${createHash("sha256").update(named).digest("base64url")}"`
  return { path, size, etag, sha256: null, updatedAt: null }
}
