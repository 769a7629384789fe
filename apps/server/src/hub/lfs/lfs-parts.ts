import type { ObjectPart } from "../../uploads/object-store.ts"

/** Objects up to this size travel in one piece. */
const PART_BYTES = 16_777_216

/** Addresses that one answer holds at the most. */
const MAX_PARTS = 10_000

/** Bytes of each part but the last, for an object of `size` bytes. */
export function partBytes(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
}

/** The parts in which an object of `size` bytes is sent. */
export function countParts(size: number): number {
  return Math.ceil(size / partBytes(size))
}

/** Part `number`, counted from 1; undefined where there is none. */
export function partOf(size: number, number: number): ObjectPart | undefined {
  if (number < 1 || number > countParts(size)) return undefined
  const start = (number - 1) * partBytes(size)
  return { start, end: Math.min(start + partBytes(size), size) - 1 }
}
