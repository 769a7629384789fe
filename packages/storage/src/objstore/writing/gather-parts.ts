export interface Part {
  /** Counted from 1. */
  readonly number: number
  readonly bytes: Buffer
  readonly isLast: boolean
  /** Gives the memory back for a later part. */
  readonly release: () => void
}

/** Initial buffer size, so that a short file does not need the memory of a part. */
const FIRST_BUFFER = 64 * 1024

/**
 * Cuts `source` into parts. Only the first can be empty. `count` is called once with every piece. It holds one part, in
 * addition to those that were not released.
 */
export async function* gatherParts(
  source: AsyncIterable<Uint8Array>,
  count: (piece: Uint8Array) => void,
): AsyncGenerator<Part, void> {
  const free: Buffer<ArrayBuffer>[] = []
  let number = 1
  let size = partSize(0)
  let buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER)
  let filled = 0
  let offset = 0

  function take(isLast: boolean): Part {
    const whole = buffer
    const release = () => void free.push(whole)
    return { number, bytes: whole.subarray(0, filled), isLast, release }
  }

  function startPart(): void {
    number += 1
    offset += filled
    filled = 0
    size = partSize(offset)
    const kept = free.pop()
    // Parts only grow, so a buffer that is too short now is never used again.
    buffer = kept !== undefined && kept.byteLength >= size ? kept : Buffer.allocUnsafeSlow(size)
  }

  function makeRoom(bytes: number): void {
    const needed = Math.min(size, filled + bytes)
    if (buffer.byteLength >= needed) return
    const larger = Buffer.allocUnsafeSlow(Math.min(size, Math.max(needed, 2 * buffer.byteLength)))
    buffer.copy(larger, 0, 0, filled)
    buffer = larger
  }

  for await (const piece of source) {
    count(piece)
    for (let from = 0; from < piece.byteLength;) {
      // Only now is it certain that more bytes follow.
      if (filled === size) {
        yield take(false)
        startPart()
      }
      makeRoom(piece.byteLength - from)
      const room = Math.min(size - filled, piece.byteLength - from)
      buffer.set(piece.subarray(from, from + room), filled)
      filled += room
      from += room
    }
  }
  yield take(true)
}

const SMALLEST = 8 * 1024 * 1024
const STEP = 1024 * 1024
/** A part is at least this fraction of the bytes before it. Then 10,000 parts hold 5 TiB, the maximum of S3. */
const SHARE = 1400
/** Maximum number of bytes in flight, unless a single part is larger. */
const IN_FLIGHT = 64 * 1024 * 1024
const PARALLEL = 4

/**
 * Returns the size of the part that begins at `offset`. All parts up to 11 GiB have 8 MiB, because some stores require
 * equal sizes. Later parts grow with the offset, because there can be at most 10,000 and the total length is unknown.
 */
export function partSize(offset: number): number {
  return Math.max(SMALLEST, Math.ceil(offset / SHARE / STEP) * STEP)
}

/** Returns how many parts of this size are in flight at the same time. */
export function parallelParts(size: number): number {
  return Math.max(1, Math.min(PARALLEL, Math.floor(IN_FLIGHT / size)))
}
