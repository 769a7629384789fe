import { createHash } from "node:crypto"
import type { HttpHeaders } from "@assay/http"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { askDocument } from "./ask-document.ts"
import { send } from "./client.ts"
import { refusalError } from "./errors.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { readRefusal, type Refusal } from "./refusal.ts"
import { writeError } from "./write-error.ts"
import { elementText, escapeXml } from "./xml.ts"

/** An object that is sent in parts, and is not there until it is completed. */
export interface MultipartUpload {
  /** Sends a part; answers with its ETag. */
  readonly sendPart: (number: number, bytes: Uint8Array, signal: AbortSignal) => Promise<string>
  /** Makes an object of the parts whose ETags are given, in their order; answers with its ETag, which can be empty. */
  readonly complete: (etags: readonly string[], headers: HttpHeaders, options: CompleteOptions) => Promise<string>
  /** Removes what was sent. */
  readonly abort: (signal: AbortSignal) => Promise<void>
}

export interface CompleteOptions {
  readonly signal: AbortSignal
  /** Called while the store puts the parts together, which may take minutes and be told by blanks alone. */
  readonly onProgress?: (() => void) | undefined
}

/** @param headers kept with the object */
export async function createMultipartUpload(
  store: ObjstoreContext,
  key: string,
  headers: HttpHeaders,
  target: RemoteTarget,
  signal: AbortSignal,
): Promise<MultipartUpload> {
  const kept = { "content-type": "application/octet-stream", ...headers }
  const creation = { method: "POST", key, query: { uploads: "" }, headers: kept } as const
  const uploadId = elementText(
    await askDocument(store, creation, { root: "InitiateMultipartUploadResult", target, signal }),
    "UploadId",
  )
  if (uploadId === undefined || uploadId === "")
    throw remoteError("upstream_failed", target, "it began an upload without an id; ask who runs the store.")

  return {
    async sendPart(number, bytes, signal) {
      const query = { partNumber: String(number), uploadId }
      const digest = await digestHeader(store, bytes)
      const response = await send(store, { method: "PUT", key, query, headers: digest, body: bytes }, target, signal)
      const etag = response.headers["etag"]
      if (response.status !== 200) throw refusalError(store, await readRefusal(response), target)
      response.body.destroy()
      if (etag !== undefined && etag !== "") return etag
      throw remoteError("upstream_failed", target, `it took part ${number} without an ETag; check proxies in between.`)
    },
    async complete(etags, headers, { signal, onProgress }) {
      const body = Buffer.from(formatParts(etags))
      const sent = { ...headers, "content-type": "application/xml", ...(await digestHeader(store, body)) }
      const request = { method: "POST", key, query: { uploadId }, headers: sent, body } as const
      const root = "CompleteMultipartUploadResult"
      const errorOf = (refusal: Refusal) => writeError(store, refusal, headers, target)
      return elementText(await askDocument(store, request, { root, target, signal, onProgress, errorOf }), "ETag") ?? ""
    },
    async abort(signal) {
      const response = await send(store, { method: "DELETE", key, query: { uploadId } }, target, signal)
      response.body.destroy()
    },
  }
}

/** With which the store finds out whether the bytes arrived as they were sent. */
async function digestHeader({ signatureVersion }: ObjstoreContext, bytes: Uint8Array): Promise<HttpHeaders> {
  if (signatureVersion === "v2") return { "content-md5": createHash("md5").update(bytes).digest("base64") }
  // Off this thread: it takes milliseconds a part.
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
