import { createHash, randomUUID } from "node:crypto"
import { findUpload, type UploadedPart } from "../buckets.ts"
import { checkWriteConditions } from "./conditions.ts"
import type { Operation } from "../exchange.ts"
import { joinedContent, objectHeaders } from "../object-content.ts"
import { ObjstoreError, emptyAnswer, xmlAnswer } from "../objstore-answer.ts"
import { parameter } from "../s3-request.ts"
import { requestedParts } from "./get-object.ts"

const MAXIMUM_PARTS = 10_000

/** `CreateMultipartUpload`. */
export const createUpload: Operation = ({ request: { key, headers }, bucket, settings }) => {
  const id = randomUUID().replaceAll("-", "")
  const kept = objectHeaders(headers)
  bucket.uploads.set(id, { id, key, started: settings.now(), headers: kept, parts: new Map() })
  return xmlAnswer("InitiateMultipartUploadResult", { Bucket: bucket.name, Key: key, UploadId: id })
}

/** `UploadPart`. A part replaces an earlier one with the same number. */
export const uploadPart: Operation = async ({ request, bucket, settings, receive }) => {
  const { key } = request
  const id = parameter(request, "uploadId") ?? ""
  findUpload(bucket, key, id)
  const number = Number(parameter(request, "partNumber"))
  if (!Number.isInteger(number) || number < 1 || number > MAXIMUM_PARTS) {
    const message = `Part number must be an integer between 1 and ${MAXIMUM_PARTS}, inclusive`
    throw new ObjstoreError(400, "InvalidArgument", message, { details: { ArgumentName: "partNumber" } })
  }
  const { content, md5 } = await receive()
  const etag = `"${md5}"`
  // The upload may have been aborted in the meantime.
  findUpload(bucket, key, id).parts.set(number, { content, etag, modified: settings.now() })
  return emptyAnswer(200, { etag })
}

/** `CompleteMultipartUpload`. The object appears now. Its ETag is the MD5 of the MD5s of its parts, and their number. */
export const completeUpload: Operation = async ({ request, bucket, settings, receive }) => {
  const { key, headers } = request
  const id = parameter(request, "uploadId") ?? ""
  findUpload(bucket, key, id)
  const document = (await receive()).text()
  const upload = findUpload(bucket, key, id)
  const parts = requestedParts(document, upload, settings.minimumPartSize)
  checkWriteConditions(headers, bucket.get(key), settings)
  const etag = `"${digestOfDigests(parts)}-${parts.length}"`
  const content = joinedContent(parts.map((part) => part.content))
  bucket.set(key, { content, etag, modified: settings.now(), headers: upload.headers })
  bucket.uploads.delete(id)
  const Location = `http://${headers["host"]}${request.path}`
  return xmlAnswer("CompleteMultipartUploadResult", { Location, Bucket: bucket.name, Key: key, ETag: etag })
}

/** `AbortMultipartUpload`. */
export const abortUpload: Operation = ({ request, bucket }) => {
  bucket.uploads.delete(findUpload(bucket, request.key, parameter(request, "uploadId") ?? "").id)
  return emptyAnswer(204)
}

function digestOfDigests(parts: readonly UploadedPart[]): string {
  const hash = createHash("md5")
  for (const { etag } of parts) hash.update(Buffer.from(etag.slice(1, -1), "hex"))
  return hash.digest("hex")
}
