import { createHmac } from "node:crypto"
import type { ObjstoreSettings } from "../fake-objstore-options.ts"
import { ObjstoreError } from "../objstore-answer.ts"
import type { S3Request } from "../s3-request.ts"
import { checkAccessKey, checkSkew, signatureMismatch } from "./signature-faults.ts"

/** The query parameters that are part of the resource; all others are not signed. */
const SUBRESOURCES: ReadonlySet<string> = new Set([
  "acl",
  "cors",
  "delete",
  "lifecycle",
  "location",
  "logging",
  "notification",
  "partNumber",
  "policy",
  "requestPayment",
  "restore",
  "tagging",
  "torrent",
  "uploadId",
  "uploads",
  "versionId",
  "versioning",
  "versions",
  "website",
  "response-cache-control",
  "response-content-disposition",
  "response-content-encoding",
  "response-content-language",
  "response-content-type",
  "response-expires",
])

/** Checks a signature of version 2 (HMAC-SHA1) in the Authorization header. @throws the error of S3 for a wrong one */
export function checkSignatureV2(request: S3Request, settings: ObjstoreSettings): void {
  const match = /^AWS (.+):([^:]+)$/.exec(request.headers["authorization"] ?? "")
  if (match === null) {
    throw new ObjstoreError(
      400,
      "InvalidArgument",
      "AWS authorization header is invalid. Expected AwsAccessKeyId:signature",
    )
  }
  const [, accessKeyId = "", signature = ""] = match
  checkAccessKey(accessKeyId, settings)
  const date = request.headers["x-amz-date"] ?? request.headers["date"] ?? ""
  const time = Date.parse(date)
  if (Number.isNaN(time)) {
    throw new ObjstoreError(403, "AccessDenied", "AWS authentication requires a valid Date or x-amz-date header")
  }
  checkSkew(time, date, settings)
  const stringToSign = formatStringToSign(request)
  const expected = createHmac("sha1", settings.secretAccessKey).update(stringToSign, "latin1").digest("base64")
  if (signature !== expected) throw signatureMismatch(accessKeyId, signature, stringToSign)
}

function formatStringToSign({ method, headers, path, query }: S3Request): string {
  const amz = Object.entries(headers)
    .filter(([name]) => name.startsWith("x-amz-"))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim()}\n`)
  const parameters = query
    .filter(([name]) => SUBRESOURCES.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === "" ? name : `${name}=${value}`))
  const resource = parameters.length === 0 ? path : `${path}?${parameters.join("&")}`
  return [
    method,
    headers["content-md5"] ?? "",
    headers["content-type"] ?? "",
    // `x-amz-date` replaces this date.
    headers["x-amz-date"] === undefined ? (headers["date"] ?? "") : "",
    amz.join("") + resource,
  ].join("\n")
}
