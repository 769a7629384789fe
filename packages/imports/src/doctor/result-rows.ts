import type { FoundColumn, Role } from "./find-roles.ts"
import { positionOf } from "./find-roles.ts"
import { type FlatRow, numberOfValue } from "./read-columns.ts"
import { valueText } from "@assay/scoring"

/** A row of results with the names that an evaluation file uses. */
export type ResultRow = Record<string, unknown>

/** Rows of results, and the metrics that read them. */
export interface ResultRows {
  readonly rows: readonly ResultRow[]
  /** Template of each metric by its name. */
  readonly values: Readonly<Record<string, string>>
  readonly isClustered: boolean
  /** Columns by whose values scores are split. */
  readonly slices: readonly string[]
  /** Whether the results are about several models. */
  readonly hasModels: boolean
  /** The models that rows compare, the baseline first. Empty if rows are about one model each. */
  readonly models: readonly string[]
}

/** The columns that are added to rows to split their scores. */
export const LENGTH_SLICE = "answer_length"
const MODEL_SLICE = "model"

/** Returns the columns of a role. */
export function columnsOf(found: readonly FoundColumn[], role: Role): readonly string[] {
  return found.filter((one) => one.role === role).map(({ name }) => name)
}

/** Returns the name of a metric. */
export function metricName(column: string): string {
  return column.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 60) || "score"
}

/** Converts rows to the form of an evaluation. With a column of models, the rows of an item become one. */
export function resultRows(rows: readonly FlatRow[], found: readonly FoundColumn[]): ResultRows {
  const [model] = columnsOf(found, "model")
  const [pair] = columnsOf(found, "pair")
  const models = model === undefined ? [] : valuesOf(rows, model)
  const hasModels = models.length >= 2
  const isWide = pair !== undefined && hasModels && isPaired(rows, pair, models.length)
  // Models differ in how long they answer: over several, a slice of lengths is mostly one of models.
  const bounds = hasModels ? undefined : lengthBounds(rows.map((row) => lengthOf(row, found)))
  const modelSlice = hasModels && !isWide ? model : undefined
  const plain = rows.map((row) => plainRow(row, { found, bounds, modelSlice }))
  const isClustered = columnsOf(found, "cluster").length > 0
  const values = Object.fromEntries(
    [...columnsOf(found, "score").map(metricName), ...extraNames(found)].map((name) => [
      name,
      `{{ item[${JSON.stringify(name)}] }}`,
    ]),
  )
  const slices = [...(modelSlice === undefined ? [] : [MODEL_SLICE]), ...(bounds === undefined ? [] : [LENGTH_SLICE])]
  if (!isWide || model === undefined) return { rows: plain, values, isClustered, slices, hasModels, models: [] }
  return { ...wideRows(rows, plain, { model, pair, models, found }), isClustered, slices, hasModels, models }
}

/** Returns the different values of a column, in the order of the rows. */
export function valuesOf(rows: readonly FlatRow[], column: string): readonly string[] {
  return [...new Set(rows.map((row) => valueText(row.get(column))))].filter((one) => one !== "")
}

/** Returns whether most items have a row of each model. */
function isPaired(rows: readonly FlatRow[], pair: string, models: number): boolean {
  const items = new Set(rows.map((row) => valueText(row.get(pair))))
  return items.size * models <= rows.length * 1.2 && items.size < rows.length
}

function extraNames(found: readonly FoundColumn[]): readonly string[] {
  const has = (role: Role) => columnsOf(found, role).length > 0
  return [
    ...(has("label") ? ["label"] : []),
    ...(has("label") && has("score") ? ["score-minus-label"] : []),
    ...(has("position") ? ["first-wins"] : []),
  ]
}

interface RowForm {
  readonly found: readonly FoundColumn[]
  readonly bounds: readonly [number, number] | undefined
  /** The column with the model, if rows are split by it. */
  readonly modelSlice: string | undefined
}

function plainRow(row: FlatRow, { found, bounds, modelSlice }: RowForm): ResultRow {
  const scores = columnsOf(found, "score")
  const [pair] = columnsOf(found, "pair")
  const [cluster] = columnsOf(found, "cluster")
  const [label] = columnsOf(found, "label")
  const [position] = columnsOf(found, "position")
  const [main] = scores
  const judged = main === undefined ? undefined : numberOfValue(row.get(main))
  const people = label === undefined ? undefined : numberOfValue(row.get(label))
  const length = lengthOf(row, found)
  return {
    ...(pair === undefined ? {} : { id: row.get(pair) ?? null }),
    ...(cluster === undefined ? {} : { cluster: valueText(row.get(cluster) ?? "none") }),
    ...Object.fromEntries(scores.map((name) => [metricName(name), numberOfValue(row.get(name)) ?? null])),
    ...(label === undefined ? {} : { label: people ?? null }),
    ...(label === undefined || main === undefined
      ? {}
      : { "score-minus-label": judged === undefined || people === undefined ? null : judged - people }),
    ...(position === undefined ? {} : { "first-wins": positionOf(row.get(position)) ?? null }),
    ...(bounds === undefined ? {} : { [LENGTH_SLICE]: lengthName(length, bounds) }),
    ...(modelSlice === undefined ? {} : { [MODEL_SLICE]: valueText(row.get(modelSlice) ?? "none") }),
  }
}

/** Returns the length of an answer: the column with lengths, or the characters of the output. */
export function lengthOf(row: FlatRow, found: readonly FoundColumn[]): number | undefined {
  const [length] = columnsOf(found, "length")
  const [output] = columnsOf(found, "output")
  if (length !== undefined) return numberOfValue(row.get(length))
  return output === undefined || !row.has(output) ? undefined : valueText(row.get(output)).length
}

/** Returns the lengths that divide rows into three parts; undefined if too few rows have a length, or all have the same. */
function lengthBounds(lengths: readonly (number | undefined)[]): readonly [number, number] | undefined {
  const known = lengths.filter((one) => one !== undefined).toSorted((a, b) => a - b)
  const low = known[Math.floor(known.length / 3)]
  const high = known[Math.floor((2 * known.length) / 3)]
  if (known.length < 30 || low === undefined || high === undefined || known[0] === known.at(-1)) return undefined
  return [low, high]
}

function lengthName(length: number | undefined, [low, high]: readonly [number, number]): string {
  if (length === undefined) return "unknown"
  return length < low ? "short" : length < high ? "middle" : "long"
}

interface Wide {
  readonly model: string
  readonly pair: string
  readonly models: readonly string[]
  readonly found: readonly FoundColumn[]
}

/** Returns a row for each item, with the first score of each model and the differences from the first model. */
function wideRows(
  rows: readonly FlatRow[],
  plain: readonly ResultRow[],
  { model, pair, models, found }: Wide,
): Pick<ResultRows, "rows" | "values"> {
  const [score] = columnsOf(found, "score").map(metricName)
  const items = new Map<string, ResultRow>()
  for (const [index, row] of rows.entries()) {
    const id = valueText(row.get(pair))
    const item = items.get(id) ?? { id, cluster: plain[index]?.["cluster"] ?? "none" }
    items.set(id, item)
    item[metricName(valueText(row.get(model)))] ??= score === undefined ? null : (plain[index]?.[score] ?? null)
  }
  const [first = "", ...others] = models.map(metricName)
  const differences = others.map((other) => [`${other}-minus-${first}`, other] as const)
  for (const item of items.values()) {
    for (const name of [first, ...others]) item[name] ??= null
    for (const [name, other] of differences) {
      const [own, base] = [item[other], item[first]]
      item[name] = typeof own === "number" && typeof base === "number" ? own - base : null
    }
  }
  const names = [first, ...others, ...differences.map(([name]) => name)]
  return {
    rows: [...items.values()],
    values: Object.fromEntries(names.map((name) => [name, `{{ item[${JSON.stringify(name)}] }}`])),
  }
}
