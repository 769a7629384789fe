import { partSize } from "./part-size.ts"

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
