import { type ColumnFilter, type FilterOperator, nearestNumber } from "@assay/schemas"

type RowCondition = (row: unknown) => boolean

/**
 * Returns whether rows satisfy every filter, with the rules of filters of filesets, except for the order. A number is ordered among
 * numbers, and among texts that are numbers, because fields of CSV without a schema are texts. A text is ordered among texts, by UTF-16
 * code units.
 */
export function rowCondition(filters: readonly ColumnFilter[]): RowCondition {
  const conditions = filters.map(({ keys, ...filter }) => {
    const holds = valueCondition(filter)
    return (row: unknown) => holds(valueAt(row, keys))
  })
  return (row) => conditions.every((holds) => holds(row))
}

/** Returns the value below `keys`; undefined if there is none. Numbers are keys of arrays. */
function valueAt(row: unknown, keys: readonly string[]): unknown {
  let value = row
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return nearestNumber(value)
}

function valueCondition({ operator, operands }: Pick<ColumnFilter, "operator" | "operands">): RowCondition {
  const readings = operands.flatMap((operand) => operand.readings)
  if (operator === "$eq" || operator === "$in" || operator === "$nin") {
    const wanted = new Set<unknown>(readings)
    if (operator === "$nin") return (value) => !isNothing(value) && !wanted.has(value)
    return (value) => wanted.has(isNothing(value) ? null : value)
  }
  if (operator === "$like") {
    const parts = readings.flatMap((reading) => (typeof reading === "string" ? [reading.toLowerCase()] : []))
    return (value) => typeof value === "string" && containsAny(value.toLowerCase(), parts)
  }
  const holds = ORDERS[operator]
  const [bound] = readings
  if (typeof bound === "number") {
    return (value) => {
      const number = numberOf(value)
      return number !== undefined && holds(number, bound)
    }
  }
  return (value) => typeof bound === "string" && typeof value === "string" && holds(value, bound)
}

const NUMBER = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,4})?$/u

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value
  return typeof value === "string" && NUMBER.test(value) ? Number(value) : undefined
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

function containsAny(text: string, parts: readonly string[]): boolean {
  return parts.some((part) => text.includes(part))
}

type Order = <Value extends number | string>(left: Value, right: Value) => boolean

const ORDERS: Readonly<Record<Extract<FilterOperator, "$lt" | "$lte" | "$gt" | "$gte">, Order>> = {
  $lt: (left, right) => left < right,
  $lte: (left, right) => left <= right,
  $gt: (left, right) => left > right,
  $gte: (left, right) => left >= right,
}
