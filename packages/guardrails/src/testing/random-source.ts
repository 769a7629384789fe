/** Random choices. The same seed gives the same choices. */
export interface RandomSource {
  /** Returns an integer from 0 to below `limit`. */
  readonly below: (limit: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** Returns true in one of `times` cases. */
  readonly oneIn: (times: number) => boolean
}

/** Creates a source of choices (mulberry32). */
export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError("There is nothing to pick from.")
      return item
    },
    oneIn: (times) => below(times) === 0,
  }
}
