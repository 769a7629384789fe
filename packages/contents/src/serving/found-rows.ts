/** Indexes of rows in ascending order, up to a limit, and their number. */
export interface FoundRows {
  /** Adds rows, each counted from `first`. */
  add(first: number, found: Uint32Array): void
  /** Number of all rows that were added. */
  length(): number
  /** Returns the indexes of rows by their positions. Fewer beyond the rows that are kept. */
  slice(start: number, end: number): readonly number[]
  /** Returns the position of the first row whose index is at least `index`. */
  positionOf(index: number): number
}

/** Rows that are kept, of 4 bytes each. */
const MAX_KEPT = 4_000_000
/** A Parquet or JSON file of more rows than this has its further rows counted only. */
const MAX_INDEX = 2 ** 32 - 1

/** Creates an empty list of rows. */
export function createFoundRows(): FoundRows {
  let kept = new Uint32Array(1024)
  let size = 0
  let length = 0
  return {
    add(first, found) {
      length += found.length
      const room = first + found.length > MAX_INDEX ? 0 : Math.min(found.length, MAX_KEPT - size)
      if (size + room > kept.length) {
        const larger = new Uint32Array(Math.min(MAX_KEPT, Math.max(2 * kept.length, size + room)))
        larger.set(kept.subarray(0, size))
        kept = larger
      }
      for (let at = 0; at < room; at += 1) kept[size + at] = first + (found[at] ?? 0)
      size += room
    },
    length: () => length,
    slice: (start, end) => Array.from(kept.subarray(Math.min(start, size), Math.min(end, size))),
    positionOf(index) {
      let low = 0
      let high = size
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((kept[middle] ?? 0) < index) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}
