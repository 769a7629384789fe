import type { ReadResult } from "../../storage.ts"
import type { ContentCheck } from "./content-checks.ts"

/** Pieces that may wait to be hashed. */
const MAX_WAITING = 4

/**
 * The pieces of a whole file of `size` bytes. The last one comes only when the digest of all is right, so that nobody
 * takes damaged bytes for the file.
 * @throws `content_damaged` instead of the last piece
 */
export function verifiedPieces(
  { bytes, release }: Pick<ReadResult, "bytes" | "release">,
  check: ContentCheck,
  size: number,
): Required<Pick<ReadResult, "bytes" | "release">> {
  const pieces = bytes[Symbol.asyncIterator]()
  const hashing = new Map<Uint8Array, Promise<void>>()
  let left = size
  let isChecked = false

  async function add(piece: Uint8Array): Promise<void> {
    left -= piece.byteLength
    const hashed = check.update(piece).finally(() => hashing.delete(piece))
    hashing.set(piece, hashed)
    // Whoever waits for it is told; a reader that has ended has nobody who does.
    hashed.catch(() => {})
    const [oldest] = hashing.values()
    if (hashing.size > MAX_WAITING) await oldest
    if (left > 0) return
    isChecked = true
    await check.verify()
  }

  async function end(): Promise<void> {
    if (!isChecked) check.cancel()
    isChecked = true
    await pieces.return?.()
  }

  const iterator: AsyncIterableIterator<Uint8Array> = {
    async next() {
      try {
        const step = await pieces.next()
        if (step.done === true) return { done: true, value: undefined }
        await add(step.value)
        return step
      } catch (error) {
        await end()
        throw error
      }
    },
    async return() {
      await end()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return {
    bytes: iterator,
    release(piece) {
      const hashed = hashing.get(piece)
      if (hashed === undefined) release?.(piece)
      else void hashed.then(() => release?.(piece)).catch(() => {})
    },
  }
}
