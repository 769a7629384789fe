/**
 * Runs `work` on the items, `parallel` at a time. After the first failure it starts no more work, waits for the work in progress,
 * and throws the failure. (`p-map` rejects at once, while work that still writes files is in progress.)
 */
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
