import { formatScore } from "@assay/reports"
import type { ComparedRow } from "@assay/schemas"
import type { ReactElement } from "react"
import type { Column } from "../../../table/column.ts"
import { itemText } from "../rows/scored-row-columns.tsx"
import { asksTheSame, outputText } from "./compared-row.ts"

const MAX_TEXT = 300

/** Returns the columns of rows that two jobs have. @param sign 1 if a larger score is better, else -1 */
export function comparedRowColumns(sign: 1 | -1): readonly Column<ComparedRow>[] {
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
    {
      id: "item",
      title: "Item",
      width: "minmax(12rem, 2fr)",
      render: ({ b }) => <span title={itemText(b.item)}>{itemText(b.item)}</span>,
      text: ({ b }) => JSON.stringify(b.item),
    },
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
  const text = value > 0 ? `+${formatScore(value)}` : formatScore(value)
  if (value === 0) return <span>{text}</span>
  const isBetter = value * sign > 0
  return (
    <span className={isBetter ? "better" : "worse"} title={isBetter ? "better" : "worse"}>
      {text}
    </span>
  )
}
