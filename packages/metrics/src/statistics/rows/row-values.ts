/** A number for each row and repeat. Memory: 8 bytes each, and up to as much again in reserve. Unset numbers are NaN. */
export interface RowValues {
  set(row: number, repeat: number, value: number): void
  get(row: number, repeat: number): number
  /** One more than the highest row that was set. */
  readonly rows: number
  /** One more than the highest repeat that was set. */
  readonly repeats: number
}

const FIRST_CAPACITY = 64

export function createRowValues(): RowValues {
  const byRepeat: Float64Array[] = []
  let rows = 0
  return {
    set(row, repeat, value) {
      while (byRepeat.length <= repeat) byRepeat.push(new Float64Array(FIRST_CAPACITY).fill(Number.NaN))
      let values = byRepeat[repeat] ?? new Float64Array(0)
      if (row >= values.length) {
        const larger = new Float64Array(2 ** Math.ceil(Math.log2(row + 1))).fill(Number.NaN, values.length)
        larger.set(values)
        byRepeat[repeat] = values = larger
      }
      values[row] = value
      rows = Math.max(rows, row + 1)
    },
    get: (row, repeat) => byRepeat[repeat]?.[row] ?? Number.NaN,
    get rows() {
      return rows
    },
    get repeats() {
      return byRepeat.length
    },
  }
}
