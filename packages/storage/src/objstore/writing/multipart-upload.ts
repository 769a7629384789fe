import { createHash } from "node:crypto"
import type { HttpHeaders, LinkedAbort } from "@assay/http"
import { remoteError, type RemoteTarget } from "../../remote/remote-error.ts"
import { send } from "../client.ts"
import type { ObjstoreContext } from "../context.ts"
import { refusalError, writeError } from "../errors.ts"
import { readRefusal, type Refusal } from "../responses/refusal.ts"
import { requestDocument } from "../responses/request-document.ts"
import { elementText, escapeXml } from "../responses/xml.ts"
import { parallelParts, type Part } from "./gather-parts.ts"

interface UploadOptions<T> {
  /** Stored with the object. */
  readonly headers: HttpHeaders
  readonly target: RemoteTarget
  /** Aborted if a part fails, so that the write does not wait for a silent source. */
  readonly ended: LinkedAbort
  /** Called after all parts were sent. */
  readonly complete: (upload: MultipartUpload, etags: readonly string[]) => Promise<T>
}

/** Milliseconds allowed for removing the parts of a failed upload. */
const CLEAN_UP_MS = 10_000

/** Sends parts, several at a time, and completes the upload. After a failure, nothing of it stays in the store. */
export async function uploadParts<T>(
  store: ObjstoreContext,
  key: string,
  parts: AsyncIterable<Part>,
  { headers, target, ended, complete }: UploadOptions<T>,
): Promise<T> {
  const upload = await createMultipartUpload(store, key, { headers, target, signal: ended.signal })
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
    // A failed part is no longer in the set.
    ended.signal.throwIfAborted()
    return await complete(upload, etags)
  } catch (error) {
    // A part that arrives after the removal of the upload could stay in the store.
    await Promise.allSettled(inFlight)
    await upload.abort(AbortSignal.timeout(CLEAN_UP_MS)).catch(() => {})
    throw error
  }
}

/** An object that is sent in parts and becomes visible when it is completed. */
interface MultipartUpload {
  /** Sends a part and returns its ETag. */
  readonly sendPart: (number: number, bytes: Uint8Array, signal: AbortSignal) => Promise<string>
  /** Creates the object from the parts with these ETags, in order. Returns its ETag, which can be empty. */
  readonly complete: (etags: readonly string[], headers: HttpHeaders, options: CompleteOptions) => Promise<string>
  /** Removes the parts that were sent. */
  readonly abort: (signal: AbortSignal) => Promise<void>
}

interface CompleteOptions {
  readonly signal: AbortSignal
  /** Called while the store joins the parts, which may take minutes. The store sends only spaces meanwhile. */
  readonly onProgress?: (() => void) | undefined
}

interface NewUpload {
  /** Stored with the object. */
  readonly headers: HttpHeaders
  readonly target: RemoteTarget
  readonly signal: AbortSignal
}

/** Starts an upload. */
async function createMultipartUpload(
  store: ObjstoreContext,
  key: string,
  { headers, target, signal }: NewUpload,
): Promise<MultipartUpload> {
  const kept = { "content-type": "application/octet-stream", ...headers }
  const creation = { method: "POST", key, query: { uploads: "" }, headers: kept } as const
  const uploadId = elementText(
    await requestDocument(store, creation, { root: "InitiateMultipartUploadResult", target, signal }),
    "UploadId",
  )
  if (uploadId === undefined || uploadId === "")
    throw remoteError("upstream_failed", target, "it started an upload without an id; ask the operator of the store.")

  return {
    async sendPart(number, bytes, signal) {
      const query = { partNumber: String(number), uploadId }
      const digest = await digestHeader(store, bytes)
      const response = await send(store, { method: "PUT", key, query, headers: digest, body: bytes }, target, signal)
      const etag = response.headers["etag"]
      if (response.status !== 200) throw refusalError(store, await readRefusal(response), target)
      response.body.destroy()
      if (etag !== undefined && etag !== "") return etag
      throw remoteError(
        "upstream_failed",
        target,
        `it accepted part ${number} without an ETag; check the proxies in between.`,
      )
    },
    async complete(etags, headers, { signal, onProgress }) {
      const body = Buffer.from(formatParts(etags))
      const sent = { ...headers, "content-type": "application/xml", ...(await digestHeader(store, body)) }
      const request = { method: "POST", key, query: { uploadId }, headers: sent, body } as const
      const root = "CompleteMultipartUploadResult"
      const errorOf = (refusal: Refusal) => writeError(store, refusal, headers, target)
      return (
        elementText(await requestDocument(store, request, { root, target, signal, onProgress, errorOf }), "ETag") ?? ""
      )
    },
    async abort(signal) {
      const response = await send(store, { method: "DELETE", key, query: { uploadId } }, target, signal)
      response.body.destroy()
    },
  }
}

/** Returns the header with which the store verifies the received bytes. */
async function digestHeader({ signatureVersion }: ObjstoreContext, bytes: Uint8Array): Promise<HttpHeaders> {
  if (signatureVersion === "v2") return { "content-md5": createHash("md5").update(bytes).digest("base64") }
  // Computed outside this thread, because it takes milliseconds per part.
  const digest = await crypto.subtle.digest("SHA-256", bytes)
  return { "x-amz-content-sha256": Buffer.from(digest).toString("hex") }
}

function formatParts(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  )
  const namespace = "http://s3.amazonaws.com/doc/2006-03-01/"
  return `<CompleteMultipartUpload xmlns="${namespace}">${parts.join("")}</CompleteMultipartUpload>`
}
