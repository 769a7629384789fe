import type { ColumnStatistic, NumberSpread } from "@assay/contents"
import { numberText } from "@assay/json"

/** Texts with at most this many different values, which are a fifth of all or fewer, are labels. */
const MAX_LABELS = 1000
const MAX_LABEL_SHARE = 0.2
/** Texts with fewer different values are labels, however few rows there are. */
const FEW_LABELS = 10
const DIGITS = 100_000

/** Statistics of a column as the viewer's interface has them. */
export interface ViewedStatistic {
  readonly column_name: string
  readonly column_type: string
  readonly column_statistics: Readonly<Record<string, unknown>>
}

/** Converts the statistics of a column. Undefined if its values have no statistics: objects, and values of different types. */
export function describeStatistic(column: ColumnStatistic, rows: number): ViewedStatistic | undefined {
  const { types, numbers, textLengths, listLengths } = column
  const missing = types.get("null") ?? 0
  const found = [...types.keys()].filter((type) => type !== "null")
  const base = { nan_count: missing, nan_proportion: rows === 0 ? 0 : rounded(missing / rows) }
  const as = (column_type: string, more: object): ViewedStatistic => ({
    column_name: column.name,
    column_type,
    column_statistics: { ...base, ...more },
  })
  const isAll = (...wanted: readonly string[]) => found.length > 0 && found.every((type) => wanted.includes(type))
  if (isAll("integer") && numbers !== undefined) return as("int", spreadOf(numbers))
  if (isAll("integer", "number") && numbers !== undefined) return as("float", spreadOf(numbers))
  if (isAll("boolean")) return as("bool", { frequencies: frequenciesOf(column, capitalized) })
  if (isAll("string") && textLengths !== undefined) {
    if (isLabel(column, rows))
      return as("string_label", { n_unique: column.distinct, frequencies: frequenciesOf(column, String) })
    return as("string_text", spreadOf(textLengths))
  }
  if (isAll("array") && listLengths !== undefined) return as("list", spreadOf(listLengths))
  return undefined
}

function isLabel({ distinct, frequencies }: ColumnStatistic, rows: number): boolean {
  if (frequencies === undefined || distinct > MAX_LABELS) return false
  return distinct < FEW_LABELS || distinct <= MAX_LABEL_SHARE * rows
}

function frequenciesOf({ frequencies = [] }: ColumnStatistic, nameOf: (value: string) => string) {
  // A name such as __proto__ would be lost in an ordinary assignment.
  return Object.fromEntries(
    frequencies.map(({ value, count }) => [nameOf(numberText(value) ?? `${value as string | boolean}`), count]),
  )
}

/** Python's names of the two values. */
function capitalized(value: string): string {
  return value === "true" ? "True" : "False"
}

function spreadOf({ min, max, mean, median, std, bins }: NumberSpread) {
  const edges = bins.map(({ lower_bound }) => lower_bound)
  return {
    min,
    max,
    mean: rounded(mean),
    median: rounded(median),
    std: rounded(std),
    histogram: { hist: bins.map(({ count }) => count), bin_edges: [...edges, bins.at(-1)?.upper_bound ?? max] },
  }
}

function rounded(value: number): number {
  const scaled = Math.round(value * DIGITS)
  return Number.isSafeInteger(scaled) ? scaled / DIGITS : value
}
