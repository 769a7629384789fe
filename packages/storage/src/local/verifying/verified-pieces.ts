import type { ReadResult } from "../../storage.ts"
import type { ContentCheck } from "./content-checks.ts"

/** Maximum number of pieces that wait to be hashed. */
const MAX_WAITING = 4

/**
 * Returns the pieces of a whole file of `size` bytes. The last piece is returned only if the digest is correct, so that
 * damaged bytes are never taken for the complete file.
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
    // A waiting reader gets the error. If the reader has ended, the error must not count as unhandled.
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
