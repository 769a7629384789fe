import { AssayError } from "@assay/schemas"

interface Validators {
  readonly etag: string | null
  readonly updatedAt: number | null
}

interface ConditionHeaders {
  readonly "if-match"?: string | undefined
  readonly "if-none-match"?: string | undefined
  readonly "if-modified-since"?: string | undefined
  readonly "if-unmodified-since"?: string | undefined
  readonly "if-range"?: string | string[] | undefined
}

function listsEtag(header: string, etag: string | null, compare: "strong" | "weak"): boolean {
  if (header.trim() === "*") return true
  if (etag === null) return false
  return header.split(",").some((item) => {
    const tag = item.trim()
    return compare === "weak" ? tag.replace(/^W\//, "") === etag : tag === etag
  })
}

/** Compares whole seconds, because dates in headers have no fractions. */
function isLater(updatedAt: number | null, header: string): boolean {
  const date = Date.parse(header)
  return updatedAt === null || Number.isNaN(date) ? true : Math.floor(updatedAt / 1000) > Math.floor(date / 1000)
}

/** Returns whether `headers` contain a condition for reading. */
export function hasConditions(headers: ConditionHeaders): boolean {
  return (
    headers["if-match"] !== undefined ||
    headers["if-none-match"] !== undefined ||
    headers["if-modified-since"] !== undefined ||
    headers["if-unmodified-since"] !== undefined ||
    headers["if-range"] !== undefined
  )
}

/**
 * Evaluates the conditions of a GET or HEAD, in the order of RFC 9110 §13.2.2.
 * @throws `precondition_failed`
 */
export function checkReadConditions(headers: ConditionHeaders, file: Validators): "send" | "not-modified" {
  const match = headers["if-match"]
  const unmodified = headers["if-unmodified-since"]
  if (
    match !== undefined
      ? !listsEtag(match, file.etag, "strong")
      : unmodified !== undefined && isLater(file.updatedAt, unmodified)
  ) {
    throw new AssayError(
      "precondition_failed",
      `The file does not match If-Match or If-Unmodified-Since: its ETag is ${file.etag ?? "unknown"}.`,
    )
  }
  const noneMatch = headers["if-none-match"]
  if (noneMatch !== undefined) return listsEtag(noneMatch, file.etag, "weak") ? "not-modified" : "send"
  const modified = headers["if-modified-since"]
  return modified !== undefined && !Number.isNaN(Date.parse(modified)) && !isLater(file.updatedAt, modified)
    ? "not-modified"
    : "send"
}

/**
 * Checks the conditions of a DELETE: If-Match, If-None-Match and If-Unmodified-Since.
 * @throws `precondition_failed`
 */
export function checkDeleteConditions(headers: ConditionHeaders, file: Validators): void {
  const { "if-match": match, "if-none-match": none, "if-unmodified-since": unmodified } = headers
  const conditions = { "if-match": match, "if-none-match": none, "if-unmodified-since": unmodified }
  if (checkReadConditions(conditions, file) === "send") return
  throw new AssayError("precondition_failed", `The file matches If-None-Match: its ETag is ${file.etag ?? "unknown"}.`)
}

/**
 * Returns whether a Range header applies (If-Range, RFC 9110 §13.1.5), with strong comparison of ETags. A date has to be exactly that of the
 * file, and is weak while the file can change again within the second that it names. `now` is in milliseconds since 1970, UTC.
 */
export function rangeApplies(headers: ConditionHeaders, file: Validators, now: number): boolean {
  const header = headers["if-range"]
  if (typeof header !== "string") return true
  if (header.startsWith('"') || header.startsWith("W/")) return header === file.etag
  if (file.updatedAt === null) return false
  const second = Math.floor(file.updatedAt / 1000)
  return Date.parse(header) === second * 1000 && Math.floor(now / 1000) > second
}

/** Returns the conditions of a PUT. @throws `bad_request` for conditions that can't be checked in one atomic step */
export function writeConditions(headers: Pick<ConditionHeaders, "if-match" | "if-none-match">): {
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: "*" | undefined
} {
  const ifMatch = headers["if-match"]
  const ifNoneMatch = headers["if-none-match"]
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== "*") {
    throw new AssayError(
      "bad_request",
      `If-None-Match '${ifNoneMatch}' is not supported on PUT; use * to create a file only if it does not exist.`,
    )
  }
  if (ifMatch !== undefined && ifMatch.includes(",")) {
    throw new AssayError("bad_request", "If-Match on PUT accepts one ETag or *.")
  }
  return { ifMatch: ifMatch?.trim(), ifNoneMatch: ifNoneMatch === undefined ? undefined : "*" }
}
