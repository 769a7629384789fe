import type { FilePath } from "../file-path.ts"
import type { CatalogClient } from "./client.ts"
import type { FileAddresses } from "./file-addresses.ts"
import type { FileList } from "./list.ts"

/** One version of an asset, opened. */
export interface CatalogContext {
  readonly client: CatalogClient
  readonly version: string
  /** Bytes of a piece at the most. */
  readonly readChunkSize: number
  readonly files: FileList
  readonly addresses: FileAddresses
  readonly isListed: (path: FilePath, signal: AbortSignal) => Promise<boolean>
}
