import { openMultipartUploads, type MultipartUploads } from "./multipart/multipart-uploads.ts"
import { openPendingObjects, type PendingObjects } from "./objects/pending-objects.ts"
import { sweepUploads, type SweepContext } from "./sweep-uploads.ts"
import { sweepXet } from "./xet/forget-chunks.ts"
import { openXetRecords, type XetRecords } from "./xet/xet-records.ts"
import { openUploadStore, type UploadStore } from "./resumable/resumable-uploads.ts"

/** Bytes that clients have sent and that are not files yet. */
export interface Uploads {
  /** Resumable uploads. */
  readonly uploads: UploadStore
  /** Uploads in parts. */
  readonly multipart: MultipartUploads
  /** LFS objects that were sent for a future commit. */
  readonly pendingObjects: PendingObjects
  /** Files that clients send as chunks. */
  readonly xet: XetRecords
  /** Removes what has expired. */
  readonly sweep: () => Promise<void>
}

export interface UploadsOptions {
  /** Milliseconds without a new byte after which an upload expires. */
  readonly lifetimeMs: number
}

interface OpenUploadsContext extends Omit<SweepContext, "now" | "lifetimeMs"> {
  /** The clock for an embedded database: a jump of the machine's clock ends nothing early. */
  readonly steadyNow: () => number
}

/** Opens the uploads in progress. Their records are in the database, and their bytes are pieces on a storage. */
export function openUploads(context: OpenUploadsContext, { lifetimeMs }: UploadsOptions): Uploads {
  const parts = { ...context, now: () => Math.floor(context.steadyNow()), lifetimeMs }
  return {
    uploads: openUploadStore(parts),
    multipart: openMultipartUploads(parts),
    pendingObjects: openPendingObjects(parts),
    xet: openXetRecords(parts),
    async sweep() {
      await sweepUploads(parts)
      await sweepXet(parts)
    },
  }
}
