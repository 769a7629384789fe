import type { ByteRange } from "./byte-range.ts"

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
