import { AssayError, boundText, type ErrorCode } from "@assay/schemas"

/** Codes of S3 that no code of ours names alone, with our code, which decides the status. */
const CODES = {
  AccessDenied: "forbidden",
  AuthorizationHeaderMalformed: "bad_request",
  AuthorizationQueryParametersError: "bad_request",
  BadDigest: "checksum_mismatch",
  BucketNotEmpty: "in_use",
  EntityTooLarge: "too_large",
  IncompleteBody: "bad_upload",
  InvalidAccessKeyId: "forbidden",
  InvalidArgument: "bad_request",
  InvalidBucketName: "bad_request",
  InvalidChunkSizeError: "bad_upload",
  InvalidDigest: "bad_checksum",
  InvalidPart: "bad_upload",
  InvalidPartOrder: "bad_upload",
  InvalidRequest: "bad_request",
  MalformedTrailerError: "bad_upload",
  MalformedXML: "bad_request",
  MissingSecurityHeader: "bad_request",
  NoSuchBucket: "not_found",
  NotImplemented: "unsupported",
  RequestTimeTooSkewed: "forbidden",
  SignatureDoesNotMatch: "forbidden",
  XAmzContentSHA256Mismatch: "checksum_mismatch",
} as const satisfies Readonly<Record<string, ErrorCode>>

type S3Code = keyof typeof CODES

/** Creates an error that S3 clients get with this code of S3. */
export function s3Error(code: S3Code, message: string, cause?: unknown): AssayError {
  return new AssayError(CODES[code], message, { context: { s3: code }, cause })
}

/** The code of S3 for each of our codes that has one. */
const NAMES: Partial<Readonly<Record<ErrorCode, string>>> = {
  already_exists: "BucketAlreadyOwnedByYou",
  bad_checksum: "InvalidDigest",
  bad_path: "InvalidArgument",
  bad_request: "InvalidRequest",
  bad_upload: "IncompleteBody",
  checksum_mismatch: "BadDigest",
  forbidden: "AccessDenied",
  internal: "InternalError",
  invalid_request: "InvalidRequest",
  method_not_allowed: "MethodNotAllowed",
  precondition_failed: "PreconditionFailed",
  range_not_satisfiable: "InvalidRange",
  too_large: "EntityTooLarge",
  too_many_requests: "SlowDown",
  unauthorized: "AccessDenied",
  unavailable: "ServiceUnavailable",
  unsupported: "NotImplemented",
  upload_gone: "NoSuchUpload",
  upload_idle: "RequestTimeout",
  upload_locked: "OperationAborted",
}

/**
 * Returns the code of S3 for an error. Ours is written in the way of S3 if S3 has none: `disk_full` is `DiskFull`.
 * @param isSigned whether the request has a signature over its bytes, which a storage compares
 */
export function s3ErrorCode({ code, context, message }: AssayError, isSigned = false): string {
  const { s3 } = context
  if (typeof s3 === "string") return s3
  if (code === "checksum_mismatch" && isSigned) return "XAmzContentSHA256Mismatch"
  if (code === "not_found") {
    if ("upload" in context) return "NoSuchUpload"
    return "path" in context ? "NoSuchKey" : "NoSuchBucket"
  }
  if (code === "bad_path" && message.includes("bytes; shorten")) return "KeyTooLongError"
  return NAMES[code] ?? code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns the message of an error for S3 clients, which show no list of issues. */
export function s3ErrorMessage({ issues, message }: AssayError): string {
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ""
  return boundText(first === undefined ? message : `${first.loc.join(".")}: ${first.msg}${more}`)
}
