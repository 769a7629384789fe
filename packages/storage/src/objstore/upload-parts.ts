import type { HttpHeaders, LinkedAbort } from "@assay/http"
import type { RemoteTarget } from "../remote/remote-error.ts"
import type { Part } from "./gather-parts.ts"
import { createMultipartUpload, type MultipartUpload } from "./multipart-upload.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { parallelParts } from "./part-size.ts"

export interface UploadOptions<T> {
  /** Kept with the object. */
  readonly headers: HttpHeaders
  readonly target: RemoteTarget
  /** Aborted here when a part fails, so that nobody waits for a source that is silent. */
  readonly ended: LinkedAbort
  /** Called when all parts are there. */
  readonly complete: (upload: MultipartUpload, etags: readonly string[]) => Promise<T>
}

/** Milliseconds that removing the parts of a failed upload may take. */
const CLEAN_UP_MS = 10_000

/** Sends parts, several at a time, and completes the upload. When anything fails nothing of it stays at the store. */
export async function uploadParts<T>(
  store: ObjstoreContext,
  key: string,
  parts: AsyncIterable<Part>,
  { headers, target, ended, complete }: UploadOptions<T>,
): Promise<T> {
  const upload = await createMultipartUpload(store, key, headers, target, ended.signal)
  const etags: string[] = []
  const inFlight = new Set<Promise<void>>()

  async function sendPart({ number, bytes, release }: Part): Promise<void> {
    try {
      etags[number - 1] = await upload.sendPart(number, bytes, ended.signal)
      release()
    } catch (error) {
      ended.abort(error)
      throw error
    }
  }

  try {
    for await (const part of parts) {
      while (inFlight.size >= parallelParts(part.bytes.byteLength)) await Promise.race(inFlight)
      const sending = sendPart(part).finally(() => inFlight.delete(sending))
      sending.catch(() => {})
      inFlight.add(sending)
    }
    await Promise.all(inFlight)
    // One that failed is no longer among those in flight.
    ended.signal.throwIfAborted()
    return await complete(upload, etags)
  } catch (error) {
    // A part that arrives after the upload was removed could stay behind.
    await Promise.allSettled(inFlight)
    await upload.abort(AbortSignal.timeout(CLEAN_UP_MS)).catch(() => {})
    throw error
  }
}
