/** Works on what `source` gives, so many at a time, and answers in the order of the source. */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  parallelism: number,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = []
  try {
    for await (const item of source) {
      const started = work(item)
      // It is awaited in its turn; until then a failure must not count as unhandled.
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
