/** The heaviest of what is offered, `limit` at the most. */
export interface Most<T> {
  offer(weight: number, make: () => T): void
  /** Heaviest first; of equals, the one that came first. */
  list(): readonly T[]
}

/** Made of a sorted list: for limits of some hundreds. `make` is called only for what is kept for the time being. */
export function keepMost<T>(limit: number): Most<T> {
  const kept: { readonly weight: number; readonly value: T }[] = []
  return {
    offer(weight, make) {
      if (kept.length >= limit && weight <= (kept.at(-1)?.weight ?? Infinity)) return
      const place = kept.findLastIndex((one) => one.weight >= weight) + 1
      kept.splice(place, 0, { weight, value: make() })
      if (kept.length > limit) kept.pop()
    },
    list: () => kept.map(({ value }) => value),
  }
}
