/**
 * Yields the values of `source` until `signal` is aborted, which throws its reason at once, even while the source is
 * silent. The source is always told to end.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  signal?.throwIfAborted()
  const iterator = source[Symbol.asyncIterator]()
  // `Promise.race` with one long promise would add a reaction to it for every value.
  let refuse: ((reason: unknown) => void) | undefined
  const onAbort = () => refuse?.(signal?.reason)
  signal?.addEventListener("abort", onAbort, { once: true })
  let ended = false
  try {
    for (;;) {
      const step = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
        refuse = reject
        iterator.next().then(resolve, reject)
      })
      signal?.throwIfAborted()
      if (step.done === true) {
        ended = true
        return
      }
      yield step.value
    }
  } finally {
    signal?.removeEventListener("abort", onAbort)
    // Not awaited, because a source that is stuck in `next` never answers `return`.
    if (!ended) iterator.return?.().catch(() => {})
  }
}
