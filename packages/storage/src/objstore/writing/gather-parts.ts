export interface Part {
  /** From 1. */
  readonly number: number
  readonly bytes: Buffer
  readonly isLast: boolean
  /** Gives the memory back: a later part holds its bytes there. */
  readonly release: () => void
}

/** What a file begins with, so that a short one does not cost the memory of a part. */
const FIRST_BUFFER = 64 * 1024

/**
 * Cuts `source` into parts; only the first can be empty. Shows every piece to `count` once. Holds one part, besides those
 * that were not released.
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
    // Parts only ever grow: what is too short now stays so.
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
      // Only now is it known that there is more.
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
