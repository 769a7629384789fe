/**
 * Calls `work` with each item of a source, at most `parallelism` at a time, and yields the results in the order of the source.
 * An error is thrown in its turn, after all calls that were started have ended.
 */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  parallelism: number,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = []
  try {
    for await (const item of source) {
      const started = work(item)
      // It is awaited in its turn. Until then, an error must not count as unhandled.
      started.catch(() => {})
      running.push(started)
      const first = running.length < parallelism ? undefined : running.shift()
      if (first !== undefined) yield await first
    }
    for (let next = running.shift(); next !== undefined; next = running.shift()) yield await next
  } finally {
    await Promise.allSettled(running)
  }
}
