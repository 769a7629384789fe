import { formatInteger, formatScore } from "@assay/reports"
import type { ScoredRow } from "@assay/schemas"
import type { Column } from "../../../table/column.ts"
import { cellText } from "../../data/rows/cell-text.ts"
import { failuresOf, isOfTurn, type RowLimit } from "./failing-rows.ts"
import { formatInColumn, titleWithUnit, type ScoreUnit } from "../jobs/score-unit.ts"
import type { ItemField } from "./item-columns.ts"

/** Scores that are columns at first. */
const MAX_SCORES = 8
/** Columns that stay at the left edge. More would leave no room for the others. */
const MAX_PINNED = 4
const MAX_TEXT = 300

export interface RowColumnOptions {
  /** Names such as `metric.score`. */
  readonly scores: readonly string[]
  readonly fields: readonly ItemField[]
  readonly limits: readonly RowLimit[]
  readonly hasTasks: boolean
  /** Returns whether a score is 0 or 1 in all rows. The others have equal decimals. */
  readonly isWhole: (name: string) => boolean
  /** Returns the unit of the scores of a metric. */
  readonly unitOf: (metric: string) => ScoreUnit
  /** Whether the list has little room, as beside an open row: only the columns that tell rows apart are shown at first. Default false. */
  readonly isTight?: boolean
  /** The order of the rows, whose column is always shown. */
  readonly sort?: string | undefined
}

/**
 * Returns the columns of a job's rows: their verdict and scores at the left edge, then fields of the item, and the answer. Limits of time, tokens
 * and cost, which most rows keep, are last.
 */
export function scoredRowColumns(options: RowColumnOptions): readonly Column<ScoredRow>[] {
  const { scores, fields, limits, hasTasks, isTight = false, sort } = options
  const ofScore = (name: string, index: number) => scoreColumn(name, index, options)
  const columns = [
    INDEX,
    verdictColumn(limits),
    ...scores.filter((name) => !isUsageLimit(name)).map(ofScore),
    ...(hasTasks ? [TASK] : []),
    ...fields.map((field) => ({
      ...itemColumn<ScoredRow>(field, ({ item }) => item),
      sortBy: `item:${field.name}`,
    })),
    OUTPUT,
    LATENCY,
    ...scores.filter(isUsageLimit).map((name) => ofScore(name, MAX_PINNED)),
    CONDITION,
  ]
  return isTight ? fewColumns(columns, fields, sort) : columns
}

/** Hides what the panel of a row shows anyway: all columns but those of its verdict and scores, its first text, and the order. */
function fewColumns(
  columns: readonly Column<ScoredRow>[],
  fields: readonly ItemField[],
  sort: string | undefined,
): readonly Column<ScoredRow>[] {
  const text = fields.find(({ isShown, isNumber }) => isShown && !isNumber)
  const first = text === undefined ? OUTPUT.id : `item:${text.name}`
  const rest = columns.findIndex(({ id }) => id.startsWith("item:") || id === OUTPUT.id)
  const by = sort?.replace(/^-/u, "")
  return columns.map((column, index) =>
    index < rest || column.id === first || (by !== undefined && column.sortBy === by)
      ? column
      : { ...column, isExtra: true },
  )
}

/** Returns whether a score says that a row keeps a limit of its time, tokens or cost. */
export function isUsageLimit(name: string): boolean {
  return splitScore(name)[1] === "within-limit"
}

export const INDEX: Column<ScoredRow> = {
  id: "#",
  title: "#",
  width: "4rem",
  align: "end",
  sortBy: "index",
  isPinned: true,
  render: ({ row_index, repeat }) => `${row_index}${repeat === 0 ? "" : ` (${repeat})`}`,
  text: ({ row_index }) => row_index,
}

const TASK: Column<ScoredRow> = {
  id: "task",
  title: "Task",
  width: "minmax(7rem, 1fr)",
  sortBy: "task",
  render: ({ task }) => task,
  text: ({ task }) => task,
}

export const OUTPUT: Column<ScoredRow> = {
  id: "output",
  title: "Answer",
  width: "minmax(14rem, 3fr)",
  sortBy: "output",
  render: ({ output, error }) =>
    error === null ? (
      <span title={output?.slice(0, MAX_TEXT)}>{output?.slice(0, MAX_TEXT)}</span>
    ) : (
      <span title={error.message.slice(0, MAX_TEXT)}>
        <code>{error.code}</code> {error.message.slice(0, MAX_TEXT)}
      </span>
    ),
  text: ({ output, error }) => output ?? error?.code ?? null,
}

const LATENCY: Column<ScoredRow> = {
  id: "latency",
  title: "Latency",
  width: "6.5rem",
  align: "end",
  sortBy: "latency",
  sortsDown: true,
  render: ({ latency_ms }) => (latency_ms === null ? "–" : `${formatInteger(Math.round(latency_ms))} ms`),
  text: ({ latency_ms }) => latency_ms,
}

const CONDITION: Column<ScoredRow> = {
  id: "condition",
  title: "Condition",
  width: "9rem",
  sortBy: "condition",
  render: ({ condition, verdict }) => condition ?? verdict ?? "",
  text: ({ condition, verdict }) => condition ?? verdict,
}

/** Shows whether a row fails: by a sign and in words, so that no one needs the colour. */
export function verdictColumn(limits: readonly RowLimit[]): Column<ScoredRow> {
  return {
    id: "verdict",
    title: "Verdict",
    width: "4.75rem",
    isPinned: true,
    render: (row) => {
      const failures = failuresOf(row, limits)
      if (failures.length > 0)
        return (
          <span className="fails" title={failures.join(", ")}>
            ✗ fails
          </span>
        )
      return limits.length === 0 ? "" : <span className="passes">✓</span>
    },
    text: (row) => (failuresOf(row, limits).length > 0 ? "fails" : limits.length === 0 ? null : "passes"),
  }
}

function scoreColumn(
  name: string,
  index: number,
  { scores: all, isWhole, unitOf }: RowColumnOptions,
): Column<ScoredRow> {
  const [metric, score] = splitScore(name)
  const unit = isUsageLimit(name) ? undefined : unitOf(metric)
  const title = isUsageLimit(name) ? `${metric} limit` : titleWithUnit(titleOfScore(name, all), unit)
  return {
    id: name,
    title,
    width: widthOf(title),
    align: "end",
    sortBy: `score:${name}`,
    isPinned: index + 2 < MAX_PINNED,
    // The panel of a row shows the scores of single turns at their turn.
    isExtra: index >= MAX_SCORES || isOfTurn(metric),
    render: ({ scores }) => {
      const value = scores[metric]?.[score]
      return isWhole(name) ? formatScore(value) : formatInColumn(value, unit)
    },
    text: ({ scores }) => scores[metric]?.[score] ?? null,
  }
}

/** Returns the name of a score: that of its metric, if it has no other one. */
export function titleOfScore(name: string, all: readonly string[]): string {
  const [metric] = splitScore(name)
  return all.filter((other) => splitScore(other)[0] === metric).length === 1 ? metric : name
}

/** Returns a width for a title and the sign of its order, so that short names are not cut and long ones leave room for others. */
function widthOf(title: string): Column<ScoredRow>["width"] {
  return `${Math.min(9.5, Math.max(5, title.length * 0.5 + 2))}rem`
}

/** Names of metrics can contain dots; those of scores can't. */
export function splitScore(name: string): readonly [string, string] {
  const end = name.lastIndexOf(".")
  return end === -1 ? [name, name] : [name.slice(0, end), name.slice(end + 1)]
}

/** Characters from which a text needs all room that there is. */
const MAX_SHORT = 24

/** Returns a width for texts: short ones leave the room to the long ones. */
function widthOfText(length: number): Column<ScoredRow>["width"] {
  return length > MAX_SHORT ? "minmax(11rem, 3fr)" : `minmax(${Math.max(4.5, length * 0.5 + 1.25)}rem, 1fr)`
}

/** Returns the column of a field of items. */
export function itemColumn<Row>(
  { name, isShown, isNumber, length }: ItemField,
  itemOf: (row: Row) => ScoredRow["item"],
): Column<Row> {
  const valueOf = (row: Row): unknown => {
    const item = itemOf(row)
    return Object.hasOwn(item, name) ? item[name] : undefined
  }
  return {
    id: `item:${name}`,
    title: name,
    width: isNumber ? "6rem" : widthOfText(Math.max(length, name.length)),
    align: isNumber ? "end" : "start",
    isExtra: !isShown,
    render: (row) => {
      const text = cellText(valueOf(row))
      return <span title={text}>{text}</span>
    },
    text: (row) => {
      const value = valueOf(row)
      return typeof value === "number" ? value : cellText(value ?? undefined)
    },
  }
}
