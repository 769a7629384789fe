import type { ByteRange } from "../byte-range.ts"

/**
 * The `Range` header that opens a read: its first part, so that the answer tells size and version and brings bytes at
 * once. A range of which only the size can tell where it begins asks for one byte.
 */
export function firstRange(range: ByteRange | undefined, partSize: number): string {
  if (range === undefined) return `bytes=0-${partSize - 1}`
  if (range.kind === "suffix" && range.length > 0 && range.length <= partSize) return `bytes=-${range.length}`
  if (range.kind === "from" && range.start <= (range.end ?? range.start)) {
    return `bytes=${range.start}-${Math.min(range.end ?? Infinity, range.start + partSize - 1)}`
  }
  return ONE_BYTE
}

export const ONE_BYTE = "bytes=0-0"
