import { type Steps, stepThrough } from "@assay/metrics"
import type { EvaluationRow } from "@assay/schemas"

export interface RowGroups {
  /** Returns the number of a row's group, from 0. */
  of(row: Pick<EvaluationRow, "item" | "row_index">): number
  /** Lists all groups by their first row, which does not depend on the order in which rows came. */
  order(): Steps<Uint32Array>
}

/** The first row of a group that has none yet, and the group of a row that is not the first of one. */
const NONE = 2 ** 32 - 1
const FIRST_CAPACITY = 64

/**
 * Numbers the groups of rows by the value of a field, in the order in which they are found. Rows whose values are equal as JSON share
 * a group. A row without the field is its own group. Keeps the text of each group in memory, and 4 bytes.
 */
export function createRowGroups(field: string): RowGroups {
  const numbers = new Map<string, number>()
  let firstRows = new Uint32Array(FIRST_CAPACITY).fill(NONE)
  let rows = 0
  return {
    of({ item, row_index: row }) {
      const value = Object.hasOwn(item, field) ? item[field] : undefined
      const name = value === undefined || value === null ? `row ${row}` : JSON.stringify(value)
      const known = numbers.get(name)
      const number = known ?? numbers.size
      if (known === undefined) numbers.set(name, number)
      if (number === firstRows.length) {
        const larger = new Uint32Array(2 * number).fill(NONE, number)
        larger.set(firstRows)
        firstRows = larger
      }
      if (row < (firstRows[number] ?? 0)) firstRows[number] = row
      if (row >= rows) rows = row + 1
      return number
    },
    *order() {
      const groupOf = new Uint32Array(rows).fill(NONE)
      yield* stepThrough(numbers.size, (start, end) => {
        for (let group = start; group < end; group++) groupOf[firstRows[group] ?? 0] = group
      })
      yield
      return groupOf.filter((group) => group !== NONE)
    },
  }
}
