import type { EvaluationRow } from "@assay/schemas"

export interface RowGroups {
  /** Returns the number of a row's group, from 0. */
  of(row: Pick<EvaluationRow, "item" | "row_index">): number
}

/**
 * Numbers the groups of rows by the value of a field, in the order in which they are found. Rows whose values are equal as JSON share
 * a group. A row without the field is its own group. Keeps the text of each group in memory.
 */
export function createRowGroups(field: string): RowGroups {
  const numbers = new Map<string, number>()
  return {
    of({ item, row_index: row }) {
      const value = Object.hasOwn(item, field) ? item[field] : undefined
      const name = value === undefined || value === null ? `row ${row}` : JSON.stringify(value)
      const known = numbers.get(name)
      const number = known ?? numbers.size
      if (known === undefined) numbers.set(name, number)
      return number
    },
  }
}
