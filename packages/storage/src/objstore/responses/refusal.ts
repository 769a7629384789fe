import { readErrorText, type HttpHeaders, type HttpResponse } from "@assay/http"
import type { ErrorCode } from "@assay/schemas"
import { elementText } from "./xml.ts"

/** The response of a store that refused a request. */
export interface Refusal {
  readonly status: number
  readonly headers: HttpHeaders
  /** `<Code>` of the document. Empty if there is none, as after HEAD or behind a proxy. */
  readonly code: string
  readonly message: string
  /** The region of the bucket, if the response names it. */
  readonly region: string
  readonly isDocument: boolean
}

/** Reads a refusal up to a limit and closes the response. */
export async function readRefusal(response: HttpResponse): Promise<Refusal> {
  const text = await readErrorText(response.body)
  response.body.destroy()
  return parseRefusal(response.status, response.headers, text)
}

export function parseRefusal(status: number, headers: HttpHeaders, text: string): Refusal {
  const code = wordOf(elementText(text, "Code"))
  return {
    status,
    headers,
    code,
    message: elementText(text, "Message") ?? "",
    region: wordOf(headers["x-amz-bucket-region"] ?? elementText(text, "Region")),
    isDocument: text === "" || code !== "",
  }
}

/** Returns the text if it is a plain word, because it is shown in messages. */
function wordOf(text: string | undefined): string {
  return text !== undefined && /^[\w.-]{1,64}$/.test(text) ? text : ""
}

/** Our error code, and the rest of the message with what to do. */
export type Meaning = readonly [code: ErrorCode, what: string]

const UNMET: Meaning = [
  "precondition_failed",
  "the file is not the one that the condition names; read its ETag and decide again.",
]
const TOO_LARGE: Meaning = ["too_large", "the file is larger than it accepts; split it."]
const FULL: Meaning = ["disk_full", "it has no space left; free some, then try again."]
const QUOTA: Meaning = ["disk_full", "its quota is used up; free some space or have the quota raised."]
const OTHER_BYTES: Meaning = ["upstream_failed", "the bytes that arrived differ from those that were sent; try again."]

/** Error codes of S3, and those that other stores added. */
const BY_CODE: Readonly<Record<string, Meaning>> = {
  NoSuchBucket: ["upstream_missing", "the bucket does not exist; check `bucket` and `endpoint_url`."],
  NoSuchKey: ["not_found", "there is no such file; check the path."],
  NoSuchUpload: ["upstream_failed", "the upload was removed while it was under way; send the file again."],
  InvalidAccessKeyId: [
    "upstream_refused",
    "it does not know the access key id; set the secret of `access_key_id_secret` to one that it knows.",
  ],
  ExpiredToken: ["upstream_refused", "the credentials have expired; renew those of the machine."],
  InvalidToken: ["upstream_refused", "the credentials are no longer valid; renew those of the machine."],
  TokenRefreshRequired: ["upstream_refused", "the credentials have to be renewed; renew those of the machine."],
  AccountProblem: ["upstream_refused", "there is a problem with the account; ask the operator of the store."],
  AllAccessDisabled: ["upstream_refused", "all access to it is disabled; ask the operator of the store."],
  InvalidObjectState: ["upstream_failed", "the file lies in an archive; restore it there, then read it again."],
  InvalidBucketName: ["upstream_misconfigured", "that can't be the name of a bucket; correct `bucket`."],
  KeyTooLongError: ["bad_path", "`prefix` and path together are too long for it; shorten the path."],
  XMinioInvalidObjectName: ["bad_path", "it does not accept this name; choose another path."],
  EntityTooLarge: TOO_LARGE,
  EntityTooSmall: ["upstream_failed", "it does not accept parts of this size; ask the operator of the store."],
  PreconditionFailed: UNMET,
  ConditionalRequestConflict: [
    "precondition_failed",
    "the file is being written by others; read its ETag and decide again.",
  ],
  QuotaExceeded: QUOTA,
  InsufficientStorage: FULL,
  XMinioStorageFull: FULL,
  ServiceQuotaExceededException: QUOTA,
  BadDigest: OTHER_BYTES,
  XAmzContentSHA256Mismatch: OTHER_BYTES,
}

const BY_STATUS: Readonly<Record<number, Meaning>> = {
  404: ["upstream_missing", "nothing is there; check `bucket` and `endpoint_url`."],
  405: [
    "upstream_misconfigured",
    "it does not support this operation; check that `endpoint_url` is an object store that can be written.",
  ],
  412: UNMET,
  413: TOO_LARGE,
  507: FULL,
}

/** Returns the meaning of an error code, or undefined for an unknown one. */
export function meaningOfCode(code: string): Meaning | undefined {
  // The code comes from the server and could be the name of an inherited property.
  return Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined
}

/** Returns the meaning of a status without a known error code. */
export function meaningOfStatus(status: number): Meaning | undefined {
  return BY_STATUS[status]
}
