/** Returns numbers of at least 0 and below 1, as `Math.random` does. Those of {@link createRandom} are reproducible. */
export type Random = () => number

const TWO_POW_32 = 2 ** 32

/**
 * Creates random numbers that are the same for the same seed on every machine. Do not use them for secrets.
 *
 * The generator is xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021). SplitMix32 fills
 * its state, so that any 32-bit seed is good. Each number has 32 random bits.
 */
export function createRandom(seed: number): Random {
  const state = new Int32Array(4)
  for (let at = 0, mixed = seed | 0; at < 4; at++) {
    mixed = (mixed + 0x9e3779b9) | 0
    let word = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35)
    state[at] = word ^ (word >>> 16)
  }
  let [a = 0, b = 0, c = 0, d = 0] = state
  return () => {
    const fives = Math.imul(b, 5)
    const result = Math.imul((fives << 7) | (fives >>> 25), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return (result >>> 0) / TWO_POW_32
  }
}
