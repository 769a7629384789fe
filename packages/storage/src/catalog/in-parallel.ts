/** Does `work` for each item, so many at a time. The first failure is thrown at once; who gives the signal ends the others. */
export async function inParallel<T>(
  items: readonly T[],
  most: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  async function goOn(): Promise<void> {
    for (const item of waiting) {
      signal.throwIfAborted()
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, goOn))
}
