import { checkArgument } from "../check-argument.ts"
import type { Units } from "../intervals/units.ts"

/** The sum and number of values per row. Memory: 16 bytes per row up to the highest, and up to as much again in reserve. */
export interface RowSums {
  add(row: number, value: number): void
  /** Whether any row has more than one value. */
  repeats(): boolean
  units(): Units
}

const FIRST_CAPACITY = 64
const MAX_ROWS = 2 ** 28

export function createRowSums(): RowSums {
  let sums = new Float64Array(FIRST_CAPACITY)
  let sizes = new Float64Array(FIRST_CAPACITY)
  let repeated = false

  const growTo = (row: number) => {
    checkArgument(Number.isSafeInteger(row) && row >= 0 && row < MAX_ROWS, "row", row, `an index below ${MAX_ROWS}`)
    const capacity = 2 ** Math.ceil(Math.log2(row + 1))
    const [largerSums, largerSizes] = [new Float64Array(capacity), new Float64Array(capacity)]
    largerSums.set(sums)
    largerSizes.set(sizes)
    ;[sums, sizes] = [largerSums, largerSizes]
  }
  return {
    add(row, value) {
      // An invalid index reads undefined here, and so does one that is too high.
      if (sizes[row] === undefined) growTo(row)
      const size = sizes[row] ?? 0
      repeated ||= size > 0
      sizes[row] = size + 1
      sums[row] = (sums[row] ?? 0) + value
    },
    repeats: () => repeated,
    units() {
      return { sums: sums.filter((_, row) => sizes[row] !== 0), sizes: sizes.filter((size) => size !== 0) }
    },
  }
}
