/** Runs `work` on all items, some at a time; the first failure ends it when those under way have ended. */
export async function forEachParallel<T>(
  items: Iterable<T>,
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = Iterator.from(items)
  let failed = false
  const run = async () => {
    for (let next = queue.next(); next.done !== true && !failed; next = queue.next()) {
      try {
        await work(next.value)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: parallel }, run))
  for (const result of results) if (result.status === "rejected") throw result.reason
}
