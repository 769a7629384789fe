import { formatCount, formatScore, formatShare } from "@assay/reports"
import type { ProfileColumn } from "@assay/schemas"
import type { ReactElement } from "react"
import { cellText, isNumeric } from "./cell-text.ts"
import { ColumnBars } from "./column-bars.tsx"
import type { RowFilterState } from "./use-row-filters.ts"

export interface ColumnSketchProps {
  readonly name: string
  readonly column: ProfileColumn
  /** Number of all rows. */
  readonly rows: number
  /** Called for a click on a bar. */
  readonly onFilter: RowFilterState["add"]
}

/** Draws the values of a column as bars, beside its type and what is missing. */
export function ColumnSketch({ name, column, rows, onFilter }: ColumnSketchProps): ReactElement {
  const { types, missing, distinct, estimated, top, min, max, lengths, histogram } = column
  const kinds = Object.keys(types).filter((name) => (types[name] ?? 0) > 0)
  const range =
    isNumeric(column) && min !== null && max !== null
      ? `${formatScore(min)} to ${formatScore(max)}`
      : lengths === null
        ? ""
        : `${lengths.min === lengths.max ? "" : `${lengths.min} to `}${lengths.max} long`
  const text = [
    kinds.join(", "),
    `${estimated ? "about " : ""}${formatCount(distinct, "value")}`,
    range,
    ...(missing > 0 ? [`${formatCount(missing, "value")} missing`] : []),
    ...top.slice(0, 8).map(({ value, count }) => `${cellText(value).slice(0, 60)}: ${count}`),
  ]
    .filter((part) => part !== "")
    .join("\n")
  // Numbers have a narrow column, and the bars of a histogram name their ranges.
  const words = [
    ...(histogram === undefined ? [kinds.join(", ")] : []),
    missing > 0 ? `${formatShare(missing / Math.max(1, rows))} missing` : histogram === undefined ? range : "",
  ]
  return (
    <span className="sketch" title={text}>
      <ColumnBars name={name} column={column} onFilter={onFilter} />
      <span className="words">{words.filter((part) => part !== "").join(" · ")}</span>
    </span>
  )
}
