import { AssayError } from "@assay/schemas"

/** A part of a file as a `Range` header names it: `a-b`, `a-` or the last `n` bytes. */
export type ByteRange =
  | { readonly kind: "from"; readonly start: number; readonly end?: number | undefined }
  | { readonly kind: "suffix"; readonly length: number }
  /** Can't be read. Refused by the storage, once the size of the file is known, since the answer has to name it. */
  | { readonly kind: "malformed"; readonly header: string }

/** The `Range` header that asks for `range`. */
export function formatRange(range: ByteRange): string {
  if (range.kind === "malformed") return range.header
  return range.kind === "suffix" ? `bytes=-${range.length}` : `bytes=${range.start}-${range.end ?? ""}`
}

/** `bytes`, as a whole token (RFC 9110, section 5.6.2). */
const UNIT = /^\s*bytes(?![!#$%&'*+.^_`|~0-9A-Za-z-])/i
const SPEC = /^(?:(?<start>\d+)-(?<end>\d*)|-(?<suffix>\d+))$/

/**
 * The part that a `Range` header asks for (RFC 9110, section 14.2). Undefined where the header is to be ignored: several
 * ranges, or a unit other than bytes. What begins with `bytes` and can't be read, or is inverted, becomes `malformed`.
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
  const start = count(groups["start"] ?? "")
  if (groups["end"] === "") return { kind: "from", start }
  const end = count(groups["end"] ?? "")
  return end < start ? undefined : { kind: "from", start, end }
}

/** No file is longer than this, so nothing is lost. */
function count(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}

/** First and last byte, both included. */
export interface ResolvedRange {
  readonly start: number
  readonly end: number
}

/**
 * The bytes of a file of `size` that `range` names, an end past the file clamped to it.
 * @throws `range_not_satisfiable` with `size` in its context: `-0`, any range of an empty file, a start past the end
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
