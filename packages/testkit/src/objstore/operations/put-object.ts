import { findBucket, findObject } from "../buckets.ts"
import type { Operation } from "../exchange.ts"
import { objectHeaders } from "../object-content.ts"
import { ObjstoreError, emptyAnswer, xmlAnswer } from "../objstore-answer.ts"
import { decodePercent } from "../s3-request.ts"
import { formatTime } from "../xml.ts"
import { checkReadConditions, checkWriteConditions } from "./conditions.ts"

/** `PutObject`. The old object stays until the last byte has arrived and was checked. */
export const putObject: Operation = async ({ request: { key, headers }, bucket, settings, receive }) => {
  const kept = objectHeaders(headers)
  checkWriteConditions(headers, bucket.get(key), settings)
  const { content, md5 } = await receive()
  // Check again: another write may have finished first.
  checkWriteConditions(headers, bucket.get(key), settings)
  const etag = `"${md5}"`
  bucket.set(key, { content, etag, modified: settings.now(), headers: kept })
  return emptyAnswer(200, { etag })
}

const MAXIMUM_SIZE = 5 * 1024 ** 3

/** `CopyObject`. An object can be copied onto itself only if its metadata is replaced. */
export const copyObject: Operation = ({ request: { key, headers }, bucket, buckets, settings }) => {
  const source = decodePercent(headers["x-amz-copy-source"] ?? "")
  const [, sourceBucket = "", sourceKey = ""] = /^\/?([^/]+)\/(.+)$/s.exec(source ?? "") ?? []
  if (sourceKey === "") {
    throw new ObjstoreError(400, "InvalidArgument", "Copy Source must mention the source bucket and key")
  }
  const from = findBucket(buckets, sourceBucket)
  const object = findObject(from, sourceKey)
  if (checkReadConditions(headers, object, "x-amz-copy-source-") === "not-modified") {
    throw new ObjstoreError(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold")
  }
  checkWriteConditions(headers, bucket.get(key), settings)
  const replaces = headers["x-amz-metadata-directive"] === "REPLACE"
  if (!replaces && from === bucket && sourceKey === key) {
    const message =
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata."
    throw new ObjstoreError(400, "InvalidRequest", message)
  }
  if (object.content.size > MAXIMUM_SIZE) {
    const message = "The specified copy source is larger than the maximum allowable size for a copy source: 5368709120"
    throw new ObjstoreError(400, "InvalidRequest", message)
  }
  const modified = settings.now()
  bucket.set(key, { ...object, modified, headers: replaces ? objectHeaders(headers) : object.headers })
  return xmlAnswer("CopyObjectResult", { LastModified: formatTime(modified), ETag: object.etag })
}
