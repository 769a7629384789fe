/** Runs `work` for 0 … count-1, `parallel` at a time, and returns the seconds that it took. It allocates nothing per item. */
export async function inParallel(
  count: number,
  parallel: number,
  work: (index: number) => Promise<void>,
): Promise<number> {
  const started = performance.now()
  let next = 0
  const worker = async () => {
    while (next < count) {
      const index = next
      next += 1
      await work(index)
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return (performance.now() - started) / 1000
}
