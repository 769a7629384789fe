import { isExactNumber } from "@assay/json"
import type { EvaluationRow } from "@assay/schemas"

/** The value that a row is sorted by. Undefined: it has no number and no text there, and comes last. */
export type ItemValue = number | string | undefined

/** Characters of a text that decide the order. */
const MAX_COMPARED = 64

/** The parts of a row that only the journal has, and by which rows are sorted. */
export type SortedPart = "output" | `item:${string}`

/** Returns the output of a row, or the value of a field of its item. Lists and objects have no order. */
export function sortedValueOf({ item, sample }: Pick<EvaluationRow, "item" | "sample">, part: SortedPart): ItemValue {
  const field = part.slice("item:".length)
  const value = part === "output" ? sample?.output_text : Object.hasOwn(item, field) ? item[field] : undefined
  if (typeof value === "string") return value.slice(0, MAX_COMPARED)
  if (typeof value === "number") return value
  if (typeof value === "boolean") return String(value)
  return isExactNumber(value) ? Number(value.rawJSON) : undefined
}

/** Returns about how many bytes of memory a value takes. */
export function sizeOfValue(value: ItemValue): number {
  return typeof value === "string" ? 24 + 2 * value.length : 8
}

/** Returns the position of each value among all: numbers by size, then texts by code units. Equal values have one position, and NaN means none. */
export function positionsOf(values: readonly ItemValue[]): Float64Array {
  const positions = new Float64Array(values.length).fill(Number.NaN)
  const sorted = Array.from(values.keys())
    .filter((at) => values[at] !== undefined && !Number.isNaN(values[at]))
    .toSorted((a, b) => compareValues(values[a], values[b]))
  let position = 0
  for (const [index, at] of sorted.entries()) {
    if (index > 0 && compareValues(values[sorted[index - 1] ?? 0], values[at]) !== 0) position += 1
    positions[at] = position
  }
  return positions
}

function compareValues(a: ItemValue, b: ItemValue): number {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1
  return a === b ? 0 : a !== undefined && b !== undefined && a < b ? -1 : 1
}
