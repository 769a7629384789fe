/** Runs `work` on the items of one iterable, `parallel` at a time. The first failure stops all and is thrown. */
export async function forEachParallel<T>(
  items: AsyncIterable<T> | Iterable<T>,
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const state = { isStopped: false }

  async function run(): Promise<void> {
    while (!state.isStopped) {
      const { done, value } = await iterator.next()
      if (done === true) return
      await work(value)
    }
  }

  const runs = Array.from({ length: parallel }, () =>
    run().catch((error: unknown) => {
      state.isStopped = true
      throw error
    }),
  )
  const results = await Promise.allSettled(runs)
  const failed = results.find((result) => result.status === "rejected")
  if (failed === undefined) return
  await iterator.return?.()
  throw failed.reason
}
