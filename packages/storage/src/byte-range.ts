import { AssayError } from "@assay/schemas"

/** A part of a file, as in a `Range` header: `a-b`, `a-` or the last `n` bytes. */
export type ByteRange =
  | { readonly kind: "from"; readonly start: number; readonly end?: number | undefined }
  | { readonly kind: "suffix"; readonly length: number }
  /**
   * A header that can't be parsed. The storage refuses it when it knows the size of the file, because the error must
   * contain the size.
   */
  | { readonly kind: "malformed"; readonly header: string }

/** Formats a `Range` header that requests `range`. */
export function formatRange(range: ByteRange): string {
  if (range.kind === "malformed") return range.header
  return range.kind === "suffix" ? `bytes=-${range.length}` : `bytes=${range.start}-${range.end ?? ""}`
}

/** `bytes`, as a whole token (RFC 9110, section 5.6.2). */
const UNIT = /^\s*bytes(?![!#$%&'*+.^_`|~0-9A-Za-z-])/i
const SPEC = /^(?:(?<start>\d+)-(?<end>\d*)|-(?<suffix>\d+))$/

/**
 * Parses a `Range` header (RFC 9110, section 14.2). Returns undefined if the header must be ignored: several ranges, or
 * a unit other than bytes. A header that begins with `bytes` and is invalid or inverted becomes `malformed`.
 */
export function parseRangeHeader(header: string | undefined): ByteRange | undefined {
  if (header === undefined) return undefined
  const unit = UNIT.exec(header)
  if (unit === null) return undefined
  const rest = header.slice(unit[0].length)
  const malformed: ByteRange = { kind: "malformed", header }
  if (!rest.startsWith("=")) return malformed
  const ranges = rest
    .slice(1)
    .split(",")
    .map((spec) => spec.trim())
    .filter((spec) => spec !== "")
    .map(parseSpec)
  const [only, ...others] = ranges
  if (only === undefined || ranges.includes(undefined)) return malformed
  return others.length === 0 ? only : undefined
}

function parseSpec(spec: string): ByteRange | undefined {
  const groups = SPEC.exec(spec)?.groups
  if (groups === undefined) return undefined
  if (groups["suffix"] !== undefined) return { kind: "suffix", length: count(groups["suffix"]) }
  const start = Number(groups["start"])
  // No file has such a byte. The header is kept as it is written, for the message.
  if (!Number.isSafeInteger(start)) return undefined
  if (groups["end"] === "") return { kind: "from", start }
  const end = count(groups["end"] ?? "")
  return end < start ? undefined : { kind: "from", start, end }
}

/** Parses a number and clamps it. No file is longer than the limit. */
function count(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}

/** The first and the last byte, both included. */
export interface ResolvedRange {
  readonly start: number
  readonly end: number
}

/**
 * Resolves `range` for a file of `size` bytes. An end past the file is clamped.
 * @throws `range_not_satisfiable` with `size` in its context, for `-0`, any range of an empty file, and a start past
 * the end
 */
export function resolveRange(range: ByteRange, size: number): ResolvedRange {
  const last = size - 1
  if (range.kind === "from" && range.start <= Math.min(last, range.end ?? last)) {
    return { start: range.start, end: Math.min(range.end ?? last, last) }
  }
  if (range.kind === "suffix" && range.length > 0 && size > 0)
    return { start: Math.max(0, size - range.length), end: last }
  throw new AssayError("range_not_satisfiable", `Invalid range: ${formatRange(range)}`, { context: { size } })
}

/** The `Content-Range` of a response (RFC 9110 §14.4): the part that it contains, or only the size for a 416. */
interface ContentRange {
  readonly start?: number
  readonly end?: number
  /** Absent if the server does not send it. */
  readonly size?: number
}

/** Parses a `Content-Range`. Returns an empty object if the header is missing or invalid. */
export function parseContentRange(header: string | undefined): ContentRange {
  const match = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i.exec(header ?? "")
  if (match === null) return {}
  const [, start, end, size] = match
  return {
    ...(start === undefined || end === undefined ? {} : { start: Number(start), end: Number(end) }),
    ...(size === "*" || size === undefined ? {} : { size: Number(size) }),
  }
}
