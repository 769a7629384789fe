const SMALLEST = 8 * 1024 * 1024
const STEP = 1024 * 1024
/** A part is at least this part of what came before it: 10,000 of them hold 5 TiB then, which is the most that S3 takes. */
const SHARE = 1400
/** Bytes that are on their way at a time, unless one part alone is larger. */
const IN_FLIGHT = 64 * 1024 * 1024
const PARALLEL = 4

/**
 * Bytes of the part of an upload that begins at `offset`. All parts are of 8 MiB up to 11 GiB, since some stores want them
 * equal; later ones grow with the offset, because nobody may send more than 10,000 and the length is not known.
 */
export function partSize(offset: number): number {
  return Math.max(SMALLEST, Math.ceil(offset / SHARE / STEP) * STEP)
}

/** How many parts of that size are on their way at a time. */
export function parallelParts(size: number): number {
  return Math.max(1, Math.min(PARALLEL, Math.floor(IN_FLIGHT / size)))
}
