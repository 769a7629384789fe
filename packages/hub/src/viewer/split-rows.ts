import type { Row } from "@assay/contents"
import { AssayError } from "@assay/schemas"
import type { OpenedSplit, ViewedDataset } from "./open-split.ts"

/** A row as the viewer shows it. */
export interface ViewedRow {
  /** Index of the row within its split. */
  readonly row_idx: number
  /** Null if the row can't be read. */
  readonly row: unknown
  readonly truncated_cells: readonly string[]
}

/** Maximum size of the rows of an answer, in characters of JSON. */
const MAX_CHARACTERS = 32 * 1024 * 1024

/** Returns a function that counts the characters of rows. It throws `too_large` above the limit. */
export function createSizeCheck(): (row: unknown) => void {
  let characters = 0
  return (row) => {
    characters += JSON.stringify(row)?.length ?? 0
    if (characters <= MAX_CHARACTERS) return
    throw new AssayError(
      "too_large",
      `The rows have more than ${MAX_CHARACTERS} characters; ask for fewer with \`length\`.`,
    )
  }
}

export function viewedRow(row_idx: number, { row }: Pick<Row, "row">): ViewedRow {
  return { row_idx, row, truncated_cells: [] }
}

/** Returns the number of rows of each file of a split. */
export async function countFiles(
  { fileset, reader, signal }: ViewedDataset,
  { files }: Pick<OpenedSplit, "files">,
): Promise<readonly number[]> {
  const counts: number[] = []
  for (const file of files) counts.push(await reader.files.count(fileset, file, signal))
  return counts
}

/** Reads the rows of a split from `offset` on. `counts` are the numbers of rows of its files. */
export async function readSplit(
  { fileset, reader, signal }: ViewedDataset,
  { files, metadata }: OpenedSplit,
  { counts, offset, length }: { readonly counts: readonly number[]; readonly offset: number; readonly length: number },
): Promise<readonly ViewedRow[]> {
  const found: ViewedRow[] = []
  const check = createSizeCheck()
  let before = 0
  for (const [index, file] of files.entries()) {
    const count = counts[index] ?? 0
    const span = { start: Math.max(0, offset - before), end: Math.min(count, offset + length - before) }
    if (span.start < span.end) {
      const first = before
      const visit = (row: Row) => {
        check(row.row)
        found.push(viewedRow(first + row.row_index, row))
      }
      await reader.files.range(fileset, file.path, { span, metadata, signal, visit })
    }
    before += count
    if (before >= offset + length) break
  }
  return found
}
