/** A set of whole numbers below its size: 32 in each word. */
export type BitSet = Uint32Array

export function createBitSet(size: number): BitSet {
  return new Uint32Array(Math.ceil(size / 32))
}

export function hasBit(set: BitSet, bit: number): boolean {
  return (((set[bit >> 5] ?? 0) >>> (bit & 31)) & 1) === 1
}

export function addBit(set: BitSet, bit: number): void {
  set[bit >> 5] = (set[bit >> 5] ?? 0) | (1 << (bit & 31))
}

export function removeBit(set: BitSet, bit: number): void {
  set[bit >> 5] = (set[bit >> 5] ?? 0) & ~(1 << (bit & 31))
}

export function addBits(set: BitSet, others: BitSet): void {
  for (let word = 0; word < set.length; word++) set[word] = (set[word] ?? 0) | (others[word] ?? 0)
}

/** Returns how many numbers are in any of three sets. */
export function countUnion(a: BitSet, b: BitSet, c: BitSet): number {
  let count = 0
  for (let word = 0; word < a.length; word++) count += onesOf((a[word] ?? 0) | (b[word] ?? 0) | (c[word] ?? 0))
  return count
}

/** Returns whether two sets share a number besides two others. */
export function shareOthers(a: BitSet, b: BitSet, [one, other]: readonly [number, number]): boolean {
  for (let word = 0; word < a.length; word++) {
    let shared = (a[word] ?? 0) & (b[word] ?? 0)
    if (one >> 5 === word) shared &= ~(1 << (one & 31))
    if (other >> 5 === word) shared &= ~(1 << (other & 31))
    if (shared !== 0) return true
  }
  return false
}

/** Counts the ones of a word (Warren, Hacker's Delight, section 5-1). */
function onesOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
