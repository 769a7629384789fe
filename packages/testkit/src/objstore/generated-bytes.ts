import { createHash } from "node:crypto"

/** Bytes that follow from a seed: an object of gigabytes that takes no memory. */
export interface GeneratedBytes {
  readonly size: number
  /** Other seeds, other bytes. Default 0. */
  readonly seed?: number
  /** What it begins with, such as a header; counts in `size`. */
  readonly head?: Uint8Array
}

/** A prime, so that pieces of any usual size that change places are noticed. */
const PERIOD = 1_048_573

/** The bytes from `start` up to `end` (exclusive), without copying any. Default: all of them. */
export function* generateBytes({ size, seed = 0 }: GeneratedBytes, start = 0, end = size): Iterable<Buffer> {
  const block = createHash("shake256", { outputLength: PERIOD }).update(String(seed)).digest()
  for (let at = start; at < end;) {
    const from = at % PERIOD
    const piece = block.subarray(from, Math.min(PERIOD, from + end - at))
    yield piece
    at += piece.length
  }
}
