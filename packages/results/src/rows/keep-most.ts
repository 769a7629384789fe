/** Keeps the heaviest values that were offered, at most `limit`. */
interface Most<T> {
  offer(weight: number, make: () => T): void
  /** Returns the heaviest first. Values of equal weight keep the order in which they were offered. */
  list(): readonly T[]
}

/** Keeps a sorted list, which suits limits of a few hundred. `make` is called only for a value that is kept, at least for now. */
export function keepMost<T>(limit: number): Most<T> {
  const kept: { readonly weight: number; readonly value: T }[] = []
  return {
    offer(weight, make) {
      if (kept.length >= limit && weight <= (kept.at(-1)?.weight ?? Infinity)) return
      const index = kept.findLastIndex((one) => one.weight >= weight) + 1
      kept.splice(index, 0, { weight, value: make() })
      if (kept.length > limit) kept.pop()
    },
    list: () => kept.map(({ value }) => value),
  }
}
