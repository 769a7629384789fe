/**
 * Waits for `work`, and throws the reason of `signal` as soon as it is aborted. The work itself is not stopped.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener("abort", onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort))
  })
}

/**
 * Yields the values of `source`, and throws the reason of `signal` as soon as it is aborted, even if the source is silent.
 * `return` of the source is called unless the source ended by itself.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  signal?.throwIfAborted()
  const iterator = source[Symbol.asyncIterator]()
  // A race with one promise for the whole iteration would add a reaction to it with each value, and keep them all.
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
    // Not awaited: the `return` of a source that hangs in `next` never resolves.
    if (!ended) iterator.return?.().catch(() => {})
  }
}
