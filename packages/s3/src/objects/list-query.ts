import { s3Error } from "../s3-error.ts"
import type { ObjectQuery } from "./list-objects.ts"

/** The parameters of a request, each with its first value. */
export type Parameters = Readonly<Record<string, string | undefined>>

export interface ListRequest extends ObjectQuery {
  readonly version: 1 | 2
  /** Whether names in the response are percent-encoded. */
  readonly isEncoded: boolean
  /** The parameters that the client sent, for the response. */
  readonly sent: {
    readonly marker: string
    readonly token: string | undefined
    readonly startAfter: string | undefined
  }
}

const MAX_KEYS = 1000
/** A path has at most 1,024 bytes, and each of them is at most three when it is percent-encoded. */
const MAX_TEXT = 4096

/** Reads the parameters of ListObjects (version 1) and ListObjectsV2. @throws `InvalidArgument` */
export function parseListRequest(query: Parameters): ListRequest {
  const version = query["list-type"] === undefined ? 1 : 2
  if (version === 2 && query["list-type"] !== "2") throw s3Error("InvalidArgument", "list-type is 2, or left out.")
  const [prefix, delimiter, marker] = ["prefix", "delimiter", "marker"].map((name) => textOf(query, name)) as [
    string,
    string,
    string,
  ]
  const token = query["continuation-token"]
  const startAfter = query["start-after"] === undefined ? undefined : textOf(query, "start-after")
  const after = version === 1 ? marker : token === undefined ? (startAfter ?? "") : parseToken(token)
  const isEncoded = isUrlEncoding(query)
  const limit = Math.min(countOf(query, "max-keys"), MAX_KEYS)
  return { version, prefix, delimiter, after, limit, isEncoded, sent: { marker, token, startAfter } }
}

/** @throws `InvalidArgument` */
export function isUrlEncoding({ "encoding-type": encoding }: Parameters): boolean {
  if (encoding === undefined || encoding === "url") return encoding === "url"
  throw s3Error("InvalidArgument", `encoding-type '${encoding.slice(0, 50)}' is not known; it is url, or left out.`)
}

/** @throws `InvalidArgument` for a text that no path can contain */
export function textOf(query: Parameters, name: string): string {
  const text = query[name] ?? ""
  if (text.length <= MAX_TEXT && text.isWellFormed()) return text
  throw s3Error("InvalidArgument", `${name} is longer than ${MAX_TEXT} characters, or no text.`)
}

/** Returns a parameter that counts entries of a page. Default 1000. @throws `InvalidArgument` */
export function countOf(query: Parameters, name: string): number {
  const text = query[name] ?? String(MAX_KEYS)
  if (/^\d{1,10}$/.test(text) && Number(text) <= 0x7fffffff) return Number(text)
  throw s3Error("InvalidArgument", `${name} '${text.slice(0, 50)}' is not a number from 0 to 2147483647.`)
}

/** Returns the token of the page after a file or a group. */
export function formatToken(last: string): string {
  return Buffer.from(`1${last}`).toString("base64url")
}

function parseToken(token: string): string {
  const text = token.length <= MAX_TEXT ? Buffer.from(token, "base64url").toString() : ""
  if (text.startsWith("1") && formatToken(text.slice(1)) === token) return text.slice(1)
  throw s3Error("InvalidArgument", "The continuation token was not issued here; send NextContinuationToken unchanged.")
}
