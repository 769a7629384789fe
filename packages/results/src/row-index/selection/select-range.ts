export interface RangeOptions {
  readonly from: number
  /** Not included. */
  readonly to: number
  readonly compare: (a: number, b: number) => number
}

/**
 * Moves numbers so that those at `from` up to `to` are the ones that a sort of all would put there, in order. On average it takes
 * time linear in the length, and as much as a sort for the range itself. C. A. R. Hoare, "Algorithm 65: FIND", 1961.
 */
export function selectRange(numbers: Uint32Array, { from, to, compare }: RangeOptions): void {
  if (from > 0) partitionAt(numbers, { at: from, begin: 0, end: numbers.length, compare })
  if (to < numbers.length) partitionAt(numbers, { at: to, begin: from, end: numbers.length, compare })
  numbers.subarray(from, to).sort(compare)
}

interface Partition {
  /** The number at this position is the one that a sort would put there. Smaller ones are before it. */
  readonly at: number
  readonly begin: number
  readonly end: number
  readonly compare: (a: number, b: number) => number
}

/** From this length on, the pivot comes from a sample. */
const SAMPLED = 600
const SAMPLE = 63

function partitionAt(numbers: Uint32Array, { at, begin, end, compare }: Partition): void {
  let low = begin
  let high = end - 1
  while (low < high) {
    const pivot = pivotOf(numbers, { at, low, high, compare })
    let left = low
    let right = high
    while (left <= right) {
      while (compare(numbers[left] ?? 0, pivot) < 0) left++
      while (compare(numbers[right] ?? 0, pivot) > 0) right--
      if (left > right) break
      const moved = numbers[left] ?? 0
      numbers[left++] = numbers[right] ?? 0
      numbers[right--] = moved
    }
    if (at <= right) high = right
    else if (at >= left) low = left
    else return
  }
}

interface Pivot {
  readonly at: number
  readonly low: number
  readonly high: number
  readonly compare: Partition["compare"]
}

/** Returns a number just beyond the wanted position, so that most others are on the other side. R. W. Floyd and R. L. Rivest, 1975. */
function pivotOf(numbers: Uint32Array, { at, low, high, compare }: Pivot): number {
  const count = high - low + 1
  if (count < SAMPLED) return numbers[low + (count >> 1)] ?? 0
  const step = count / SAMPLE
  const sample = Uint32Array.from(
    { length: SAMPLE },
    (_, position) => numbers[low + Math.floor((position + 0.5) * step)] ?? 0,
  )
  const share = (at - low) / count
  const position = Math.round(share * SAMPLE) + (share < 0.5 ? 1 : -2)
  return sample.toSorted(compare)[Math.min(SAMPLE - 1, Math.max(0, position))] ?? 0
}
