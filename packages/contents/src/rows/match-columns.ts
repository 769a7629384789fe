import type { ColumnFilter, FilterOperator } from "@assay/schemas"
import { canonicalDecimal, compareDecimals, isExactNumber } from "@assay/json"

type RowCondition = (row: unknown) => boolean

/**
 * Returns whether rows satisfy every filter, with the rules of filters of filesets, except for the order. A number is ordered among
 * numbers, and among texts that are numbers, because fields of CSV without a schema are texts. A text is ordered among texts, by UTF-16
 * code units. Numbers are compared with all of their digits.
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
  return value
}

function valueCondition({ operator, operands }: Pick<ColumnFilter, "operator" | "operands">): RowCondition {
  const readings = operands.flatMap((operand) => operand.readings)
  if (operator === "$eq" || operator === "$in" || operator === "$nin") {
    const equals = equalityWith(operands)
    if (operator === "$nin") return (value) => !isNothing(value) && !equals(value)
    return equals
  }
  if (operator === "$like") {
    const parts = readings.flatMap((reading) => (typeof reading === "string" ? [reading.toLowerCase()] : []))
    return (value) => typeof value === "string" && containsAny(value.toLowerCase(), parts)
  }
  const holds = ORDERS[operator]
  const [bound] = operands
  const number = bound === undefined ? undefined : writtenNumber(bound)
  if (number !== undefined) {
    const compare = comparisonWith(number)
    return (value) => {
      const order = compare(value)
      return order !== undefined && holds(order)
    }
  }
  const [text] = readings
  if (typeof text !== "string") return () => false
  return (value) => typeof value === "string" && holds(value < text ? -1 : value > text ? 1 : 0)
}

type Operand = ColumnFilter["operands"][number]

const WRITTEN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u
/** A number in a text. */
const NUMBER = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,4})?$/u

/** Returns the text of an operand that is a number. The parser of filters limits its length. */
function writtenNumber({ written }: Operand): string | undefined {
  return typeof written === "string" && WRITTEN_NUMBER.test(written) ? written : undefined
}

/** Returns whether a JavaScript number is exactly the number that a text writes. */
function isPlain(text: string): boolean {
  return canonicalDecimal(text) === canonicalDecimal(String(Number(text)))
}

function equalityWith(operands: readonly Operand[]): RowCondition {
  const numbers = operands.flatMap((operand) => writtenNumber(operand) ?? [])
  const exact = new Set(numbers.map(canonicalDecimal))
  const plain = new Set<unknown>(numbers.filter(isPlain).map(Number))
  const others = operands.flatMap(({ readings }) => readings.filter((reading) => typeof reading !== "number"))
  const wanted = new Set<unknown>([...plain, ...others])
  return (value) => {
    if (isExactNumber(value)) return exact.has(canonicalDecimal(value.rawJSON))
    return wanted.has(isNothing(value) ? null : value)
  }
}

/** Returns how a number, or a text that is one, compares with the bound; undefined for another value. */
function comparisonWith(bound: string): (value: unknown) => number | undefined {
  const near = isPlain(bound) ? Number(bound) : undefined
  return (value) => {
    if (typeof value === "number") {
      return near === undefined ? compareDecimals(String(value), bound) : Math.sign(value - near)
    }
    if (isExactNumber(value)) return compareDecimals(value.rawJSON, bound)
    return typeof value === "string" && NUMBER.test(value) ? compareDecimals(value, bound) : undefined
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

function containsAny(text: string, parts: readonly string[]): boolean {
  return parts.some((part) => text.includes(part))
}

/** Whether a value satisfies an operator, by how it compares with the bound. */
const ORDERS: Readonly<Record<Extract<FilterOperator, "$lt" | "$lte" | "$gt" | "$gte">, (order: number) => boolean>> = {
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
}
