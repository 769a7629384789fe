/** What `work` makes of each item, in their order, with up to `parallel` of them at a time. The first failure ends it. */
export async function mapInOrder<T, R>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  let next = 0
  let hasFailed = false
  async function run(): Promise<void> {
    for (let index = next++; index < items.length && !hasFailed; index = next++) {
      try {
        results[index] = await work(items[index] as T)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, run))
  return results
}
