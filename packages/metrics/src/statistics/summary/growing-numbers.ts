/** Numbers that are kept as they come, 8 bytes each and up to as many again in reserve. */
export interface GrowingNumbers {
  add(value: number): void
  /** What was added so far. The next `add` may write beside it, but not over it. */
  values(): Float64Array
}

const FIRST_CAPACITY = 64

export function createGrowingNumbers(): GrowingNumbers {
  let kept = new Float64Array(FIRST_CAPACITY)
  let length = 0
  return {
    add(value) {
      if (length === kept.length) {
        const larger = new Float64Array(2 * length)
        larger.set(kept)
        kept = larger
      }
      kept[length++] = value
    },
    values: () => kept.subarray(0, length),
  }
}
