import { resolve } from "node:path"
import { openPendingObjects, type PendingObjects } from "../uploads/pending-objects.ts"
import { openUploadStore, type UploadStore } from "../uploads/upload-store.ts"
import { sweepSharedUploads } from "./remove-upload.ts"
import { openSharedPendingObjects } from "./shared-pending-objects.ts"
import { openSharedUploadStore } from "./shared-upload-store.ts"
import type { SharedUploadsContext } from "./upload-rows.ts"

/** Bytes that clients have sent and that are not files yet. */
export interface Uploads {
  /** Resumable uploads. */
  readonly uploads: UploadStore
  /** LFS objects that were sent for a future commit. */
  readonly pendingObjects: PendingObjects
  /** Removes what has expired. */
  readonly sweep: () => Promise<void>
}

export interface UploadsOptions {
  /** The folder of this server alone. */
  readonly dataFolder: string
  /** Milliseconds without a new byte after which an upload expires. */
  readonly lifetimeMs: number
}

interface UploadsContext extends Omit<SharedUploadsContext, "lifetimeMs"> {
  /** The clock for uploads in the data folder: a jump of the machine's clock ends nothing early. */
  readonly steadyNow: () => number
}

/**
 * Opens the uploads in progress. On a shared database they are on the default storage, so that every server continues them. Otherwise
 * they are in the data folder of the only server, which costs no transactions.
 */
export function openUploads(context: UploadsContext, { dataFolder, lifetimeMs }: UploadsOptions): Uploads {
  const { steadyNow, newId } = context
  const own = { now: steadyNow, newId, lifetimeMs }
  const inFolder = {
    uploads: openUploadStore({ ...own, folder: resolve(dataFolder, "uploads") }),
    pendingObjects: openPendingObjects({ ...own, folder: resolve(dataFolder, "objects") }),
  }
  const sweepFolder = () => Promise.all([inFolder.uploads.sweep(), inFolder.pendingObjects.sweep()])
  if (context.database.shared === undefined) {
    return { ...inFolder, sweep: async () => void (await sweepFolder()) }
  }
  const shared = { ...context, lifetimeMs }
  return {
    uploads: openSharedUploadStore(shared),
    pendingObjects: openSharedPendingObjects(shared),
    async sweep() {
      // Older versions stored uploads in the data folder on a shared database, too.
      await sweepFolder()
      await sweepSharedUploads(shared)
    },
  }
}
