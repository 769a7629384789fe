/**
 * Runs `work` for each item, at most `parallel` at a time. After the first failure it starts nothing more, waits for the
 * running work, and throws that failure. `p-map` does not wait: its caller would clean up while files are still written. Its
 * memory also grows with a result for each item.
 */
export async function forEachParallel<T>(
  items: AsyncIterable<T> | Iterable<T>,
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const failures: unknown[] = []

  async function runLane(): Promise<void> {
    try {
      while (failures.length === 0) {
        const step = await iterator.next()
        if (step.done === true || failures.length > 0) return
        await work(step.value)
      }
    } catch (error) {
      failures.push(error)
    }
  }

  await Promise.all(Array.from({ length: parallel }, runLane))
  if (failures.length === 0) return
  await iterator.return?.()
  throw failures[0]
}
