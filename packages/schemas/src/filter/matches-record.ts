import { compareDecimals, isJsonObject, numberText } from "@assay/json"
import type { Filter, FilterComparison, FilterField, FilterScalar } from "./filter.ts"

type FilteredRecord = Readonly<Record<string, unknown>>

/** Returns whether a record that is not in a database satisfies `filter`. It is the reference for tests of the compiler of filters, too. */
export function matchesRecord(record: FilteredRecord, filter: Filter): boolean {
  if (filter.kind === "comparison") return satisfies(valueOf(record, filter.field), filter)
  if (filter.kind === "not") return !matchesRecord(record, filter.filter)
  const matches = (part: Filter) => matchesRecord(record, part)
  return filter.kind === "and" ? filter.filters.every(matches) : filter.filters.some(matches)
}

/** Returns the value of a field; undefined if it is missing. Only objects have keys: `tags.0` is not an item of a list. */
function valueOf(record: FilteredRecord, { column, path }: FilterField): unknown {
  let value: unknown = record[column]
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

function satisfies(value: unknown, { operator, operands }: FilterComparison): boolean {
  const readings = operands.flatMap((operand) => operand.readings)
  const isMissing = value === undefined || value === null
  if (operator === "$eq" || operator === "$in")
    return readings.some((reading) => (isMissing ? reading === null : isEqual(reading, value)))
  if (isMissing) return false
  if (operator === "$nin") return readings.every((reading) => !isEqual(reading, value))
  if (operator === "$like") return readings.some((reading) => isLike(value, reading))
  return readings.some((reading) => {
    const order = compare(value, reading)
    if (order === undefined) return false
    return (
      (order < 0 && operator.startsWith("$lt")) ||
      (order > 0 && operator.startsWith("$gt")) ||
      (order === 0 && operator.endsWith("te"))
    )
  })
}

function isEqual(reading: FilterScalar, value: unknown): boolean {
  return reading === value || (typeof value !== "string" && compare(value, reading) === 0)
}

function isLike(value: unknown, part: FilterScalar): boolean {
  return typeof value === "string" && typeof part === "string" && value.toLowerCase().includes(part.toLowerCase())
}

/**
 * Compares two numbers, or two texts by code point; undefined for any other values. UTF-8 bytes have the order of code points, unlike
 * the UTF-16 units that `<` of JavaScript compares.
 */
function compare(value: unknown, other: FilterScalar): number | undefined {
  const [number, bound] = [numberText(value), numberText(other)]
  if (number !== undefined && bound !== undefined) return compareDecimals(number, bound)
  if (typeof value === "string" && typeof other === "string")
    return compareCodePoints(Array.from(value), Array.from(other))
  return undefined
}

function compareCodePoints(value: readonly string[], other: readonly string[]): number {
  const at = value.findIndex((point, index) => point !== other[index])
  if (at < 0) return value.length - other.length
  return (value[at]?.codePointAt(0) ?? 0) - (other[at]?.codePointAt(0) ?? -1)
}
