/** Runs `work` on the items of a listing, `parallel` at a time. Throws the first failure. */
export async function forEachParallel<T>(
  items: AsyncIterable<T>,
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  const run = async () => {
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) await work(step.value)
  }
  await Promise.all(Array.from({ length: parallel }, run))
}
