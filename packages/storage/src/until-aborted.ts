/**
 * The values of `source` until `signal` is aborted, which throws its reason at once, even while the source is silent.
 * However it ends, the source is told to end too.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  signal?.throwIfAborted()
  const iterator = source[Symbol.asyncIterator]()
  // Not a race with one long promise: every value would leave a reaction on it until the end.
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
    // Not awaited: a source that is stuck in `next` answers `return` never.
    if (!ended) iterator.return?.().catch(() => {})
  }
}
