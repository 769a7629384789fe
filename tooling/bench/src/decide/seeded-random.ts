/** Returns numbers of at least 0 and below 1. */
export type Draw = () => number

/** Creates random numbers that depend on the seed alone: Weyl's sequence, mixed as in SplitMix32. */
export function seededRandom(seed: number): Draw {
  let state = Math.imul(seed, 0x9e3779b9)
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}
