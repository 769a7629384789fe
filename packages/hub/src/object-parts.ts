import type { ObjectPart } from "@assay/uploads"

/** Objects up to this size are sent in one part. */
const PART_BYTES = 16_777_216

/** Maximum number of part URLs in one response. */
const MAX_PARTS = 10_000

/** Returns the bytes of each part but the last, for an object of `size` bytes. */
export function partBytes(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
}

/** Returns the number of parts in which an object of `size` bytes is sent. */
export function countParts(size: number): number {
  return Math.ceil(size / partBytes(size))
}

/** Returns part `number`, counted from 1; undefined if there is no such part. */
export function partOf(size: number, number: number): ObjectPart | undefined {
  if (number < 1 || number > countParts(size)) return undefined
  const start = (number - 1) * partBytes(size)
  return { start, end: Math.min(start + partBytes(size), size) - 1 }
}
