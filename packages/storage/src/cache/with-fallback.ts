/**
 * Returns the pieces of `first`. If they fail with an error that `mayContinue` accepts, it continues with `openFallback`, which
 * is called with the number of bytes read so far.
 */
export function withFallback(
  first: AsyncIterable<Uint8Array>,
  openFallback: (read: number) => Promise<AsyncIterable<Uint8Array>>,
  mayContinue: (error: unknown) => boolean,
): AsyncIterableIterator<Uint8Array> {
  let pieces = first[Symbol.asyncIterator]()
  let read = 0
  let isFallback = false
  const bytes: AsyncIterableIterator<Uint8Array> = {
    async next() {
      try {
        const step = await pieces.next()
        if (step.done !== true) read += step.value.byteLength
        return step
      } catch (error) {
        if (isFallback || !mayContinue(error)) throw error
        isFallback = true
        pieces = (await openFallback(read))[Symbol.asyncIterator]()
        return bytes.next()
      }
    },
    async return() {
      await pieces.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => bytes,
  }
  return bytes
}
