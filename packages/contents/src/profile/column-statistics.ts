import { setImmediate } from "node:timers/promises"
import { isExactNumber, nearestNumber } from "@assay/json"
import type { Row } from "../rows/row.ts"
import { countCharacters, jsonTypeOf, type JsonType } from "../schemas/json-schema.ts"
import { createNumberHistogram, type NumberBin } from "./number-histogram.ts"
import { createValueCounts, type Scalar } from "./value-counts.ts"

/** Maximum number of columns. Keys that are data would otherwise make one column each. */
const MAX_COLUMNS = 1000
const MAX_FREQUENCIES = 1000
const VALUES_OF_TURN = 4000

/** How numbers are distributed. */
export interface NumberSpread {
  readonly count: number
  readonly min: number
  readonly max: number
  readonly mean: number
  /** Standard deviation of the sample; 0 for one number. */
  readonly std: number
  /** Estimated from the bins, within one of which it is. */
  readonly median: number
  readonly bins: readonly NumberBin[]
}

export interface ColumnStatistic {
  readonly name: string
  /** Number of values by type. Missing values are null. */
  readonly types: ReadonlyMap<JsonType, number>
  readonly distinct: number
  /** The values and how often they occur, if there are at most 1000 different ones. */
  readonly frequencies: readonly { readonly value: Scalar; readonly count: number }[] | undefined
  readonly numbers: NumberSpread | undefined
  /** Characters of texts. */
  readonly textLengths: NumberSpread | undefined
  /** Elements of lists. */
  readonly listLengths: NumberSpread | undefined
}

export interface ColumnStatistics {
  /** Number of rows, of which those that can't be read are in no column. */
  readonly rows: number
  readonly columns: readonly ColumnStatistic[]
}

/** Describes the columns of rows that are objects, in flat memory. */
export async function columnStatistics(
  batches: AsyncIterable<{ readonly rows: readonly Row[] }>,
): Promise<ColumnStatistics> {
  const columns = new Map<string, ReturnType<typeof createColumn>>()
  let total = 0
  let readable = 0
  let values = 0
  for await (const { rows } of batches) {
    total += rows.length
    for (const { row, fault } of rows) {
      if (fault !== null || typeof row !== "object" || row === null || Array.isArray(row)) continue
      for (const [name, value] of Object.entries(row)) {
        const known = columns.get(name)
        if (known === undefined && columns.size >= MAX_COLUMNS) continue
        const column = known ?? createColumn()
        if (known === undefined) columns.set(name, column)
        column.add(value)
        if ((values += 1) % VALUES_OF_TURN === 0) await setImmediate()
      }
      readable++
    }
  }
  return { rows: total, columns: [...columns].map(([name, column]) => column.describe(name, readable)) }
}

function createColumn() {
  const types = new Map<JsonType, number>()
  const counts = createValueCounts()
  const [numbers, textLengths, listLengths] = [createSpread(), createSpread(), createSpread()]
  let present = 0
  return {
    add(value: unknown): void {
      present++
      const type = jsonTypeOf(value)
      types.set(type, (types.get(type) ?? 0) + 1)
      const nearest = nearestNumber(value)
      if (typeof nearest === "number") numbers.add(nearest)
      if (typeof value === "string") textLengths.add(countCharacters(value))
      if (Array.isArray(value)) listLengths.add(value.length)
      if (value !== null && (isExactNumber(value) || typeof value !== "object")) counts.add(value as Scalar)
    },
    describe(name: string, rows: number): ColumnStatistic {
      const missing = rows - present
      if (missing > 0) types.set("null", (types.get("null") ?? 0) + missing)
      return {
        name,
        types,
        distinct: counts.distinct(),
        frequencies: counts.isEstimated() ? undefined : counts.top(MAX_FREQUENCIES),
        numbers: numbers.describe(),
        textLengths: textLengths.describe(),
        listLengths: listLengths.describe(),
      }
    },
  }
}

function createSpread() {
  const histogram = createNumberHistogram()
  let count = 0
  let mean = 0
  let squares = 0
  let min = Infinity
  let max = -Infinity
  let isWhole = true
  return {
    add(value: number): void {
      if (!Number.isFinite(value)) return
      count++
      isWhole &&= Number.isInteger(value)
      // Welford's method, which loses no digits if the mean is large.
      const difference = value - mean
      mean += difference / count
      squares += difference * (value - mean)
      min = Math.min(min, value)
      max = Math.max(max, value)
      histogram.add(value)
    },
    describe(): NumberSpread | undefined {
      if (count === 0) return undefined
      const found = histogram.bins()
      const narrow = found.length === 0 ? [{ lower_bound: min, upper_bound: max, count }] : found
      const bins = isWhole ? wholeBins(narrow, min) : narrow
      const median = medianOf(bins, { count, min, max })
      const std = count === 1 ? 0 : Math.sqrt(squares / (count - 1))
      return { count, min, max, mean, std, median: isWhole ? Math.floor(median) : median, bins }
    },
  }
}

/** Far below the width of the narrowest bin, and above the error of its limits. */
const ROUNDING = 1e-9

/** Joins bins that are narrower than 1 to bins of whole numbers. */
function wholeBins(bins: readonly NumberBin[], min: number): readonly NumberBin[] {
  const [first] = bins
  if (first === undefined || bins.length === 1 || first.upper_bound - first.lower_bound >= 1 - ROUNDING) return bins
  const whole: { lower_bound: number; upper_bound: number; count: number }[] = []
  for (const { lower_bound, count } of bins) {
    if (count === 0) continue
    const at = Math.ceil(lower_bound - ROUNDING) - min
    while (whole.length <= at) {
      const next = min + whole.length
      whole.push({ lower_bound: next, upper_bound: next + 1, count: 0 })
    }
    const bin = whole[at]
    if (bin !== undefined) bin.count += count
  }
  return whole
}

/** Estimates the median: the place of the middle number in its bin, as if the numbers of a bin had equal distances. */
function medianOf(
  bins: readonly NumberBin[],
  { count, min, max }: Pick<NumberSpread, "count" | "min" | "max">,
): number {
  let before = 0
  for (const bin of bins) {
    if (before + bin.count >= count / 2) {
      const share = bin.count === 0 ? 0 : (count / 2 - before) / bin.count
      const estimate = bin.lower_bound + share * (bin.upper_bound - bin.lower_bound)
      return Math.min(max, Math.max(min, estimate))
    }
    before += bin.count
  }
  return max
}
