import { formatScore } from "@assay/reports"
import type { ComparedRow, Comparison } from "@assay/schemas"
import type { ReactElement } from "react"
import type { Column } from "../../../table/column.ts"
import { cellText } from "../../data/rows/cell-text.ts"
import { itemFields } from "../rows/item-columns.ts"
import { itemColumn } from "../rows/scored-row-columns.tsx"
import { signed } from "./compared-scores.ts"
import { asksTheSame, outputText } from "./compared-row.ts"

const MAX_TEXT = 300

export interface ComparedColumnOptions {
  /** 1 if a larger score is better, else -1. */
  readonly sign: 1 | -1
  /** The items of some rows, from which columns are chosen. */
  readonly items: readonly ComparedRow["b"]["item"][]
  /** Fields that prompts and metrics use, which come first. */
  readonly asked: ReadonlySet<string>
  /** Further jobs, whose scores are columns. */
  readonly others: Comparison["jobs"]
}

/** Columns of items that are shown at first: both answers need the room. */
const MAX_SHOWN = 2

/** Returns the columns of rows that two jobs have: the scores of all jobs, fields of the item, and both answers. */
export function comparedRowColumns({
  sign,
  items,
  asked,
  others,
}: ComparedColumnOptions): readonly Column<ComparedRow>[] {
  return [
    {
      id: "#",
      title: "#",
      width: "4rem",
      align: "end",
      sortBy: "index",
      render: ({ row_index, repeat }) => `${row_index}${repeat === 0 ? "" : ` (${repeat})`}`,
      text: ({ row_index }) => row_index,
    },
    scoreColumn("a", "Baseline"),
    scoreColumn("b", "Job"),
    {
      id: "difference",
      title: "Difference",
      width: "7.5rem",
      align: "end",
      sortBy: "difference",
      render: (row) => <Difference row={row} sign={sign} />,
      text: (row) => (asksTheSame(row) ? row.difference : null),
    },
    ...others.map(otherColumn),
    ...itemFields(items, asked, MAX_SHOWN).map((field) => itemColumn<ComparedRow>(field, ({ b }) => b.item)),
    outputColumn("a", "Answer of the baseline"),
    outputColumn("b", "Answer of the job"),
  ]
}

/** Two lines, in pixels. */
export const NARROW_ROW_HEIGHT = 60

/** Returns the one column of a narrow page: both scores of a row with their difference, and the longest field of its item. */
export function narrowComparedColumns(options: ComparedColumnOptions): readonly Column<ComparedRow>[] {
  const { sign, items, asked } = options
  const shown = itemFields(items, asked, MAX_SHOWN).filter(({ isShown }) => isShown)
  const [field] = shown.toSorted((a, b) => b.length - a.length)
  return [
    {
      id: "row",
      title: "Row",
      width: "minmax(12rem, 1fr)",
      render: (row) => (
        <div className="narrow-compared">
          <span>
            <b>{row.row_index}</b> {formatScore(row.a.score)} → {formatScore(row.b.score)}{" "}
            <Difference row={row} sign={sign} />
          </span>
          <span className="cut soft">{field === undefined ? "" : cellText(row.b.item[field.name])}</span>
        </div>
      ),
      text: ({ row_index }) => row_index,
    },
  ]
}

function scoreColumn(side: "a" | "b", title: string): Column<ComparedRow> {
  return {
    id: side,
    title,
    width: "5rem",
    align: "end",
    render: (row) => formatScore(row[side].score),
    text: (row) => row[side].score,
  }
}

function otherColumn({ id, name }: Comparison["jobs"][number], at: number): Column<ComparedRow> {
  const valueOf = ({ others }: ComparedRow) => others?.[at]?.score ?? null
  return {
    id: `score-${id}`,
    title: name,
    width: "7.5rem",
    align: "end",
    render: (row) => (row.others?.[at] == null ? "–" : formatScore(valueOf(row))),
    text: valueOf,
  }
}

function outputColumn(side: "a" | "b", title: string): Column<ComparedRow> {
  return {
    id: `output-${side}`,
    title,
    width: "minmax(12rem, 3fr)",
    render: (row) => (
      <span title={outputText(row[side]).slice(0, MAX_TEXT)}>{outputText(row[side]).slice(0, MAX_TEXT)}</span>
    ),
    text: (row) => outputText(row[side]),
  }
}

function Difference({ row, sign }: { readonly row: ComparedRow; readonly sign: 1 | -1 }): ReactElement {
  const { difference: value } = row
  if (!asksTheSame(row))
    return <span title="The item differs in the other job, so that the row is left out.">other item</span>
  if (value === null) return <span title="One of the jobs has no score for the row.">–</span>
  const text = signed(value)
  if (value === 0) return <span>{text}</span>
  const isBetter = value * sign > 0
  return (
    <span className={isBetter ? "better" : "worse"} title={isBetter ? "better" : "worse"}>
      {text}
    </span>
  )
}
