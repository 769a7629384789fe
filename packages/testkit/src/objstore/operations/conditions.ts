import type { StoredObject } from "../buckets.ts"
import type { ObjstoreSettings } from "../fake-objstore-options.ts"
import { ObjstoreError, notImplemented } from "../objstore-answer.ts"
import type { S3Request } from "../s3-request.ts"

/** Checks the conditions of a read. "not-modified" means 304. @throws `PreconditionFailed` */
export function checkReadConditions(
  headers: S3Request["headers"],
  { etag, modified }: StoredObject,
  prefix = "",
): "read" | "not-modified" {
  const second = Math.floor(modified / 1000) * 1000
  const match = headers[`${prefix}if-match`]
  const noneMatch = headers[`${prefix}if-none-match`]
  const since = headers[`${prefix}if-modified-since`]
  const unmodifiedSince = headers[`${prefix}if-unmodified-since`]
  if (match !== undefined) {
    if (!names(match, etag)) throw preconditionFailed("If-Match")
  } else if (unmodifiedSince !== undefined && second > Date.parse(unmodifiedSince)) {
    throw preconditionFailed("If-Unmodified-Since")
  }
  if (noneMatch !== undefined) return names(noneMatch, etag) ? "not-modified" : "read"
  return since !== undefined && second <= Date.parse(since) ? "not-modified" : "read"
}

/** Checks the conditions of a write over the existing object, as far as the server supports them. */
export function checkWriteConditions(
  headers: S3Request["headers"],
  there: StoredObject | undefined,
  { conditionalWrites }: ObjstoreSettings,
): void {
  const match = headers["if-match"]
  const noneMatch = headers["if-none-match"]
  if (conditionalWrites === "ignored" || (match === undefined && noneMatch === undefined)) return
  if (conditionalWrites === "not-implemented") throw notImplemented(match === undefined ? "If-None-Match" : "If-Match")
  if (noneMatch !== undefined && noneMatch !== "*") throw notImplemented("If-None-Match")
  if (noneMatch !== undefined && there !== undefined) throw preconditionFailed("If-None-Match")
  if (match === undefined) return
  if (there === undefined) throw new ObjstoreError(404, "NoSuchKey", "The specified key does not exist.")
  if (!names(match, there.etag)) throw preconditionFailed("If-Match")
}

function preconditionFailed(condition: string): ObjstoreError {
  const message = "At least one of the pre-conditions you specified did not hold"
  return new ObjstoreError(412, "PreconditionFailed", message, { details: { Condition: condition } })
}

/** Returns whether a condition names the ETag, with or without quotes. */
function names(condition: string, etag: string): boolean {
  return condition.split(",").some((one) => one.trim() === "*" || one.trim().replaceAll('"', "") === etag.slice(1, -1))
}
