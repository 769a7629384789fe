import type { ByteRange } from "./byte-range.ts"

/** The `Range` header that asks for `range`. */
export function formatRange(range: ByteRange): string {
  if (range.kind === "malformed") return range.header
  return range.kind === "suffix" ? `bytes=-${range.length}` : `bytes=${range.start}-${range.end ?? ""}`
}
