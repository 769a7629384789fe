import { AssayError } from "@assay/schemas"
import type { ByteRange } from "./byte-range.ts"
import { formatRange } from "./format-range.ts"

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
