import type { EvaluationRow, RowFilter, RowSort } from "@assay/schemas"
import { findInRow } from "../conditions/row-condition.ts"
import type { PairSort, ScoreChange } from "../row-index/selection/compare-rows.ts"

/** A read of the rows of jobs. `job` and `other` are positions in the list of journals. */
export interface PlainRead {
  readonly kind: "page" | "beside" | "compare" | "summarize" | "attempts" | "at" | "draw" | "judged"
  readonly job: number
  readonly other: number
  readonly task: string | undefined
  readonly filters: readonly RowFilter[]
  readonly sort: RowSort
  readonly pairs: { readonly sort: PairSort; readonly change: ScoreChange | undefined }
  readonly offset: number
  readonly limit: number
}

const keyOf = ({ task, row_index, repeat }: EvaluationRow) => JSON.stringify([task, row_index, repeat])
const valueOf = (row: EvaluationRow) => Number(row.scores["quality"]?.["value"] ?? Number.NaN)

/** Returns the rows that count, in the order of the dataset. */
function latest(journal: readonly EvaluationRow[]): readonly EvaluationRow[] {
  const tasks = [...new Set(journal.map(({ task }) => task))]
  const positionOf = ({ task, row_index, repeat }: EvaluationRow) => [tasks.indexOf(task), row_index, repeat]
  return [...new Map(journal.map((row) => [keyOf(row), row])).values()].toSorted((a, b) => {
    const [before, after] = [positionOf(a), positionOf(b)]
    return before.map((one, at) => one - (after[at] ?? 0)).find((one) => one !== 0) ?? 0
  })
}

const COMPARISONS = {
  $eq: (a: number, b: number) => a === b,
  $lt: (a: number, b: number) => a < b,
  $lte: (a: number, b: number) => a <= b,
  $gt: (a: number, b: number) => a > b,
  $gte: (a: number, b: number) => a >= b,
}

function columnOf(row: EvaluationRow, field: string): string {
  if (field === "error") return row.error?.code ?? ""
  if (field === "condition") return findInRow(row) ?? ""
  return (row.sample?.response as { readonly outcome?: string } | null)?.outcome ?? ""
}

/** The items of these rows. */
interface PlainItem {
  readonly note: readonly string[]
  readonly cost: number
  readonly rank?: number | string | boolean | null | readonly number[]
}

function matches(row: EvaluationRow, filter: RowFilter): boolean {
  if (filter.field === "any") return filter.filters.some((one) => matches(row, one))
  if (filter.field === "latency")
    return COMPARISONS[filter.operator](row.sample?.latency_ms ?? Number.NaN, filter.value)
  if (filter.field === "score") return COMPARISONS[filter.operator](valueOf(row), filter.value)
  if (filter.field === "item") {
    const value = row.item[filter.name]
    if (typeof value === "number") return COMPARISONS[filter.operator](value, Number(filter.value))
    const isPlain = value === null || typeof value === "string" || typeof value === "boolean"
    return filter.operator === "$eq" && isPlain && String(value) === filter.value
  }
  if (filter.field !== "text") return filter.values.includes(columnOf(row, filter.field)) === filter.isIn
  const { note, cost, rank } = row.item as unknown as PlainItem
  const output = row.sample?.output_text ?? ""
  const ranks = [rank]
    .flat()
    .filter((one) => one !== undefined && one !== null)
    .map(String)
  const strings = {
    row: [...note, String(cost), ...ranks, output],
    output: [output],
    "item:note": note,
    "item:absent": [],
  }[filter.within as "row"]
  return strings.some((text) => text.toLowerCase().includes(filter.part.toLowerCase()))
}

type Value = number | string | undefined

/** Sorts rows by their values. Rows without one come last, numbers before texts, and equal rows keep their order. */
function sorted<T>(rows: readonly T[], valueOf: (row: T) => Value, isDescending: boolean): readonly T[] {
  const has = (value: Value) => value !== undefined && value !== "" && !Number.isNaN(value)
  const compare = (a: Value, b: Value) => {
    if (!has(a) || !has(b)) return Number(has(b)) - Number(has(a))
    const isOf =
      typeof a === typeof b ? (a === b ? 0 : (a as string) < (b as string) ? -1 : 1) : typeof a === "number" ? -1 : 1
    return isDescending ? -isOf : isOf
  }
  return rows.toSorted((a, b) => compare(valueOf(a), valueOf(b)))
}

function inOrder(rows: readonly EvaluationRow[], sort: RowSort, otherOf: (row: EvaluationRow) => EvaluationRow | null) {
  const { isDescending: descends } = sort
  if (sort.by === "index") return descends ? rows.toReversed() : rows
  return sorted(
    rows,
    (row) => {
      if (sort.by === "task") return row.task
      if (sort.by === "latency") return row.sample?.latency_ms ?? undefined
      if (sort.by === "score") return valueOf(row)
      if (sort.by === "output") return row.sample?.output_text?.slice(0, 64) ?? undefined
      if (sort.by === "item") {
        const value = row.item[sort.field]
        return typeof value === "boolean" ? String(value) : typeof value === "object" ? undefined : (value as Value)
      }
      if (sort.by !== "changed") return columnOf(row, sort.by)
      const other = otherOf(row)
      return other === null ? undefined : -Math.abs(valueOf(row) - valueOf(other))
    },
    descends,
  )
}

/**
 * Reads the rows of journals as the index of rows does, without an index: all in memory, as simple as possible.
 * @param journals the rows of each job in the order in which they were written
 */
export function readPlainly(journals: readonly (readonly EvaluationRow[])[], asked: PlainRead): unknown {
  const { kind, job, other, task, filters, sort, pairs: wanted, offset, limit } = asked
  const ofTask = (row: EvaluationRow) => task === undefined || row.task === task
  const [all, others] = [latest(journals[job] ?? []), latest(journals[other] ?? [])]
  const mine = all.filter(ofTask)
  const besideOf = (row: EvaluationRow) => others.find((one) => keyOf(one) === keyOf(row)) ?? null
  const matching = mine.filter((row) => filters.every((filter) => matches(row, filter)))
  switch (kind) {
    case "page":
      return {
        rows: inOrder(matching, sort, () => null).slice(offset, offset + limit),
        total: mine.length,
        matched: matching.length,
      }
    case "beside": {
      const page = inOrder(matching, sort, besideOf).slice(offset, offset + limit)
      return { rows: page.map((row) => [row, besideOf(row)]), total: mine.length, matched: matching.length }
    }
    case "compare": {
      const differenceOf = (row: EvaluationRow) => valueOf(row) - valueOf(besideOf(row) ?? row)
      const isWanted = { up: (d: number) => d > 0, down: (d: number) => d < 0, same: (d: number) => d === 0 }
      const shared = matching.filter((row) => {
        return besideOf(row) !== null && (wanted.change === undefined || isWanted[wanted.change](differenceOf(row)))
      })
      const total = mine.filter((row) => besideOf(row) !== null).length
      const { by, isDescending: descends } = wanted.sort
      const keyed = (row: EvaluationRow) => (by === "changed" ? -Math.abs(differenceOf(row)) : differenceOf(row))
      const ordered = by === "index" ? (descends ? shared.toReversed() : shared) : sorted(shared, keyed, descends)
      const pairs = ordered.slice(offset, offset + limit).map((row) => [besideOf(row), row])
      return {
        pairs,
        total,
        matched: shared.length,
        onlyA: others.filter(ofTask).length - total,
        onlyB: mine.length - total,
      }
    }
    case "summarize": {
      const values = matching.map(valueOf).filter((value) => !Number.isNaN(value))
      const mean = values.length === 0 ? "NaN" : values.reduce((sum, value) => sum + value, 0) / values.length
      const [minimum, maximum] = values.length === 0 ? ["NaN", "NaN"] : [Math.min(...values), Math.max(...values)]
      return { count: values.length, missing: matching.length - values.length, mean, minimum, maximum }
    }
    case "attempts":
      return (journals[job] ?? []).filter((row) => row.row_index === offset && row.task === "qa")
    case "at":
      return [0, 1].map((repeat) => all.find((row) => keyOf(row) === JSON.stringify(["qa", offset, repeat])))
    case "draw": {
      const scored = all.filter((row) => !Number.isNaN(valueOf(row)))
      const different = new Set(scored.map((row) => JSON.stringify([row.item, row.sample?.output_text])))
      return { candidates: different.size, different: Math.min(different.size, limit) }
    }
    case "judged":
    default: {
      const values = all.map(valueOf).filter((value) => !Number.isNaN(value))
      return { values: values.length, sum: values.reduce((sum, value) => sum + value, 0) }
    }
  }
}
