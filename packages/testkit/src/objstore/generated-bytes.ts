import { createHash } from "node:crypto"

/** Bytes that are derived from a seed: an object of gigabytes without memory. */
export interface GeneratedBytes {
  readonly size: number
  /** Seed of the bytes. Default 0. */
  readonly seed?: number
  /** The first bytes, such as a header. They count in `size`. */
  readonly head?: Uint8Array
}

/** A prime number, so that swapped pieces of any usual size are noticed. */
const PERIOD = 1_048_573

/** Yields the bytes from `start` up to `end` (exclusive), without copies. Default: all. */
export function* generateBytes({ size, seed = 0 }: GeneratedBytes, start = 0, end = size): Iterable<Buffer> {
  const block = createHash("shake256", { outputLength: PERIOD }).update(String(seed)).digest()
  for (let at = start; at < end;) {
    const from = at % PERIOD
    const piece = block.subarray(from, Math.min(PERIOD, from + end - at))
    yield piece
    at += piece.length
  }
}
