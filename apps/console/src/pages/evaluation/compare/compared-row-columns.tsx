import { formatScore } from "@assay/reports"
import type { ComparedRow, Comparison } from "@assay/schemas"
import type { ReactElement } from "react"
import type { Column } from "../../../table/column.ts"
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
  /** Further jobs, whose scores are columns. */
  readonly others: Comparison["jobs"]
}

const NONE_ASKED: ReadonlySet<string> = new Set()

/** Returns the columns of rows that two jobs have: the scores of all jobs, fields of the item, and both answers. */
export function comparedRowColumns({ sign, items, others }: ComparedColumnOptions): readonly Column<ComparedRow>[] {
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
    ...itemFields(items, NONE_ASKED).map((field) => itemColumn<ComparedRow>(field, ({ b }) => b.item)),
    outputColumn("a", "Answer of the baseline"),
    outputColumn("b", "Answer of the job"),
  ]
}

function scoreColumn(side: "a" | "b", title: string): Column<ComparedRow> {
  return {
    id: side,
    title,
    width: "5.5rem",
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
    width: "minmax(12rem, 2fr)",
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
