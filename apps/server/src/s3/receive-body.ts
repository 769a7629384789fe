import { checkAnnouncedLength, requestBytes } from "@assay/http/node"
import { type BeginChecksum, openBody, type OpenedBody, s3Error } from "@assay/s3"
import { AssayError } from "@assay/schemas"
import { createHash } from "node:crypto"
import { signingOf, type S3Exchange } from "./s3-request.ts"

/** Enough for 1,000 keys or 10,000 parts. */
const MAX_DOCUMENT = 4_194_304

/** Opens the body of a request for a file of this path. @throws `too_large` before the first byte is read, if the size is announced */
export function receiveBody(
  { services, request }: Pick<S3Exchange, "services" | "request">,
  path: string,
  begin: BeginChecksum,
): OpenedBody {
  const { uploadIdleMs: idleMs, maxUploadBytes: maxBytes } = services
  const isChunked = String(request.headers["x-amz-content-sha256"]).startsWith("STREAMING-")
  const limits = { path, idleMs, maxBytes, setting: "ASSAY_MAX_UPLOAD_BYTES" }
  // The frame of chunks is not part of the file. Its decoder takes no more bytes than are announced.
  if (!isChunked) checkAnnouncedLength(request.raw, limits)
  const raw = requestBytes(request.raw, isChunked ? { path, idleMs } : limits)
  const body = openBody(raw, { headers: request.headers, signing: signingOf(request), begin })
  if (maxBytes !== undefined && (body.size ?? 0) > maxBytes) {
    const message = `The upload of '${path}' is larger than ${maxBytes} bytes, the maximum of this server (ASSAY_MAX_UPLOAD_BYTES).`
    throw new AssayError("too_large", message)
  }
  return body
}

/** Reads a document in the body of a request. @throws `too_large`, `XAmzContentSHA256Mismatch`, `MalformedXML` */
export async function receiveDocument(
  { services, request }: Pick<S3Exchange, "services" | "request">,
  begin: BeginChecksum,
): Promise<string> {
  const limits = { path: "the document", idleMs: services.uploadIdleMs, maxBytes: MAX_DOCUMENT }
  checkAnnouncedLength(request.raw, limits)
  const raw = requestBytes(request.raw, limits)
  const { bytes, sha256 } = openBody(raw, { headers: request.headers, signing: signingOf(request), begin })
  const document = Buffer.concat(await Array.fromAsync(bytes))
  if (sha256 !== undefined && createHash("sha256").update(document).digest("hex") !== sha256) {
    throw s3Error("XAmzContentSHA256Mismatch", "The body does not have the SHA-256 of x-amz-content-sha256.")
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(document)
  } catch (error) {
    throw s3Error("MalformedXML", "The body is not UTF-8.", error)
  }
}
