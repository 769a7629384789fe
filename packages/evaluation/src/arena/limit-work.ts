/** Runs work, but no more than a number of pieces at a time. */
export type LimitWork = <T>(work: () => Promise<T>) => Promise<T>

export function limitWork(most: number): LimitWork {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
