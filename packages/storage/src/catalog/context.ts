import { createHash } from "node:crypto"
import type { FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"
import type { CatalogAsset } from "./asset.ts"
import type { CatalogClient } from "./client.ts"
import type { FileAddresses } from "./file-addresses.ts"
import type { FileList } from "./list.ts"

/** An opened version of an asset. */
export interface CatalogContext {
  readonly client: CatalogClient
  readonly version: string
  /** Maximum number of bytes in a piece. */
  readonly readChunkSize: number
  readonly files: FileList
  readonly addresses: FileAddresses
  readonly isListed: (path: FilePath, signal: AbortSignal) => Promise<boolean>
}

/**
 * Describes a file of a fixed version. The catalog gives no digest, but a version never changes, so the version, the
 * path and the size identify the content.
 */
export function storedFile(asset: CatalogAsset, version: string, path: FilePath, size: number): StoredFile {
  const { org, team = "", name, kind } = asset
  const named = JSON.stringify([org, team, kind, name, version, path, size])
  const etag = `"${createHash("sha256").update(named).digest("base64url")}"`
  return { path, size, etag, sha256: null, updatedAt: null }
}
