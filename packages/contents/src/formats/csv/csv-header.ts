import type { Cut } from "../../reading/cut-blocks.ts"
import { rowsIn, type RowBlock } from "../../rows/row-block.ts"
import { textsOf } from "../../rows/row-text.ts"
import { splitRecord } from "./csv-record.ts"

/** Maximum number of columns. Each row becomes an object with one key per column. */
const MAX_COLUMNS = 10_000

/**
 * Removes the first record from the blocks of a CSV file and attaches its names to the blocks. If the header can't be
 * read, the file ends with that fault.
 */
export async function* takeHeader(
  cuts: AsyncGenerator<Cut, void, undefined>,
  delimiter: string,
): AsyncGenerator<Cut, void, undefined> {
  let columns: readonly string[] | undefined
  for await (const cut of cuts) {
    if (columns !== undefined) {
      yield "bounds" in cut ? { ...cut, head: { encoding: "csv", delimiter, columns } } : cut
      continue
    }
    if (!("bounds" in cut)) {
      yield { ...cut, row_index: 0 }
      return
    }
    const read = readColumns(cut, delimiter)
    if (typeof read === "string") {
      yield { row_index: 0, ...placeOfFirst(cut), row: null, fault: read }
      return
    }
    columns = read
    const block = { ...cut, head: { encoding: "csv", delimiter, columns } as const }
    if (rowsIn(cut) > 1) yield { ...block, bounds: cut.bounds.slice(3), rowIndex: 0 }
  }
}

/** Returns the names in the first record of `block`, or the fault of the header. */
function readColumns(block: RowBlock, delimiter: string): readonly string[] | string {
  const text = textsOf(block)(block.bounds[0] ?? 0, block.bounds[1] ?? 0)
  if (text === null) return "is a header that is not UTF-8"
  const { fields, fault } = splitRecord(text, delimiter)
  if (fields === null) return `is a header that ${fault}`
  if (fields.length > MAX_COLUMNS) return `is a header that names ${fields.length} columns; ${MAX_COLUMNS} are allowed`
  const names = new Set<string>()
  const twice = fields.find((name) => names.size === names.add(name).size)
  return twice === undefined ? fields : `is a header that names the column '${twice}' twice`
}

function placeOfFirst({ line, offset, bounds }: RowBlock) {
  return { line: line + (bounds[2] ?? 0), offset: offset + (bounds[0] ?? 0) }
}
