import { AssayError } from "@assay/schemas"

/** The memory that the row numbers and repeats of a table take: a number for each, also for those between the rows that exist. */
export interface RowExtents {
  /** @throws `rows_invalid` if the numbers would take too much memory */
  add(row: { readonly task: string; readonly row: number; readonly repeat: number }): void
}

/** Row numbers times repeats, over all tasks: 256 MiB. */
const MAX_NUMBERS = 2 ** 25

interface Extent {
  readonly rows: number
  readonly repeats: number
}

/** @param known the extents of the tasks so far */
export function createRowExtents(known: ReadonlyMap<string, Extent>): RowExtents {
  const extents = new Map([...known].map(([task, { rows, repeats }]) => [task, { rows, repeats }] as const))
  let numbers = extents.values().reduce((sum, extent) => sum + sizeOf(extent), 0)
  return {
    add({ task, row, repeat }) {
      const before = extents.get(task) ?? { rows: 0, repeats: 0 }
      if (row < before.rows && repeat < before.repeats) return
      const after = { rows: Math.max(before.rows, row + 1), repeats: Math.max(before.repeats, repeat + 1) }
      const total = numbers + sizeOf(after) - sizeOf(before)
      if (total > MAX_NUMBERS) {
        const message = `Row ${row}, repeat ${repeat} can't be indexed: row numbers times repeats are at most ${MAX_NUMBERS} for a job.`
        throw new AssayError("rows_invalid", message, { context: { row_index: row, repeat } })
      }
      numbers = total
      extents.set(task, after)
    },
  }
}

function sizeOf({ rows, repeats }: Extent): number {
  return rows * repeats
}
