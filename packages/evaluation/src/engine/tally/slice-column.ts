import { type EvaluationRow, MAX_SLICES, type Slice } from "@assay/schemas"

/** Notes which value of a column each row has. Memory: 2 bytes per row up to the highest, and the text of each value. */
export interface SliceColumn {
  add(row: Pick<EvaluationRow, "item" | "row_index">): void
  /** Returns the slices, and the slice of each row that was added. The order in which rows were added does not matter. */
  result(): SlicedRows
}

export interface SlicedRows {
  /** The number of values; null if they are too many for slices. */
  readonly values: number | null
  /** The values with the most rows first. */
  readonly slices: readonly Pick<Slice, "name" | "kind">[]
  /** Returns the number of the row's slice in `slices`. */
  readonly sliceOf: (row: number) => number
}

/** A column with more values than this, such as an id, has no slices. */
const MAX_VALUES = 10_000
/** A longer text is not the name of a group. */
const MAX_CHARACTERS = 200
const FIRST_CAPACITY = 64
/** Number of a row that was not added. */
const UNSEEN = 0
/** Number of a row without the column. */
const MISSING = 1
/** Number of a row whose value is too long. */
const LONG = 2
/** Number of the first other value. */
const FIRST = 3

export function createSliceColumn(column: string): SliceColumn {
  const numbers = new Map<string, number>()
  let ofRow = new Uint16Array(FIRST_CAPACITY)
  let isFull = false
  const numberOfValue = (item: EvaluationRow["item"]): number => {
    const name = nameOf(readColumn(item, column))
    if (name === undefined) return MISSING
    if (name.length > MAX_CHARACTERS) return LONG
    const known = numbers.get(name)
    if (known !== undefined) return known
    if (numbers.size === MAX_VALUES) isFull = true
    if (isFull) return LONG
    numbers.set(name, FIRST + numbers.size)
    return FIRST + numbers.size - 1
  }
  return {
    add({ item, row_index: row }) {
      if (row >= ofRow.length) {
        const larger = new Uint16Array(2 ** Math.ceil(Math.log2(row + 1)))
        larger.set(ofRow)
        ofRow = larger
      }
      ofRow[row] = numberOfValue(item)
    },
    // Which values were met first depends on the order of the rows, so none of them has a slice if they are too many.
    result: () => rankValues(isFull ? [] : [...numbers.keys()], ofRow, isFull ? null : numbers.size),
  }
}

function rankValues(names: readonly string[], ofRow: Uint16Array, values: number | null): SlicedRows {
  const rows = new Float64Array(FIRST + names.length)
  const kindOf = (number: number) =>
    number === UNSEEN || number === MISSING ? number : number < rows.length ? number : LONG
  for (const number of ofRow) {
    const kind = kindOf(number)
    rows[kind] = (rows[kind] ?? 0) + 1
  }
  const ranked = names
    .map((name, at) => ({ name, number: FIRST + at, rows: rows[FIRST + at] ?? 0 }))
    .toSorted((a, b) => b.rows - a.rows || (a.name < b.name ? -1 : 1))
  const shown = ranked.slice(0, MAX_SLICES)
  const slices: Pick<Slice, "name" | "kind">[] = shown.map(({ name }) => ({ name, kind: "value" }))
  const other = slices.length
  const indexes = new Int32Array(rows.length).fill(other)
  for (const [index, { number }] of shown.entries()) indexes[number] = index
  if ((rows[LONG] ?? 0) > 0 || ranked.length > shown.length) slices.push({ name: "(other)", kind: "other" })
  if ((rows[MISSING] ?? 0) > 0) {
    indexes[MISSING] = slices.length
    slices.push({ name: "(missing)", kind: "missing" })
  }
  return { values, slices, sliceOf: (row) => indexes[kindOf(ofRow[row] ?? UNSEEN)] ?? other }
}

/** Reads a field with this name, or the field that this path leads to, such as `about.topic`. */
function readColumn(item: EvaluationRow["item"], column: string): unknown {
  if (Object.hasOwn(item, column)) return item[column]
  let value: unknown = item
  for (const name of column.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

function nameOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined
  return typeof value === "string" ? value : JSON.stringify(value)
}
