/** Does `work` for each item, so many at a time. The first failure ends the others and is thrown. */
export async function forEachParallel<T>(
  items: AsyncIterable<T>,
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  const failures: unknown[] = []

  async function goOn(): Promise<void> {
    try {
      while (failures.length === 0) {
        const step = await iterator.next()
        if (step.done === true) return
        await work(step.value)
      }
    } catch (error) {
      failures.push(error)
    }
  }

  await Promise.all(Array.from({ length: parallel }, goOn))
  if (failures.length === 0) return
  await iterator.return?.()
  throw failures[0]
}
