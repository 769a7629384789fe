import { isObject } from "@assay/json"
import type { OpenedSplit, ViewedDataset } from "./open-split.ts"
import { viewedRow } from "./split-rows.ts"

const MAX_ROWS = 100
const MAX_CHARACTERS = 1_000_000
/** Characters of JSON that are left of a cell that is too large. */
const CELL_CHARACTERS = 100

interface FirstRows {
  readonly rows: { row_idx: number; row: unknown; truncated_cells: string[] }[]
  /** Whether rows are left out. */
  readonly truncated: boolean
}

/** Reads the first rows of a split: at most 100, and about one megabyte of JSON. If the first row is larger, its large cells become the beginning of their JSON. */
export async function firstRowsOf(
  { fileset, reader, signal }: ViewedDataset,
  { files, metadata }: OpenedSplit,
): Promise<FirstRows> {
  const paths = files.map(({ path }) => path)
  const rows: FirstRows["rows"] = []
  let characters = 0
  const truncated = await reader.files.scan(fileset, paths, {
    metadata,
    signal,
    async use(batches) {
      for await (const batch of batches) {
        for (const row of batch.rows) {
          if (rows.length === MAX_ROWS) return true
          const shown = viewedRow(batch.before + row.row_index, row)
          const size = JSON.stringify(shown.row).length
          characters += size
          if (characters > MAX_CHARACTERS && rows.length > 0) return true
          rows.push({ ...shown, ...(size > MAX_CHARACTERS ? truncate(shown.row) : { truncated_cells: [] }) })
        }
      }
      return false
    },
  })
  return { rows, truncated }
}

/** Replaces the large cells of a row by the beginning of their JSON. */
function truncate(row: unknown): { readonly row: unknown; readonly truncated_cells: string[] } {
  if (!isObject(row)) return { row: JSON.stringify(row).slice(0, CELL_CHARACTERS), truncated_cells: [] }
  const truncated_cells: string[] = []
  const cells = Object.entries(row).map(([name, value]) => {
    const text = JSON.stringify(value)
    if (text.length <= CELL_CHARACTERS) return [name, value] as const
    truncated_cells.push(name)
    return [name, text.slice(0, CELL_CHARACTERS)] as const
  })
  return { row: Object.fromEntries(cells), truncated_cells }
}
