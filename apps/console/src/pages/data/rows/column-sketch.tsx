import { formatCount, formatScore, formatShare } from "@assay/reports"
import type { ProfileColumn } from "@assay/schemas"
import type { ReactElement } from "react"
import { cellText, isNumeric } from "./cell-text.ts"
import type { RowFilterState } from "./use-row-filters.ts"
import { ValueBars } from "./value-bars.tsx"

export interface ColumnSketchProps {
  readonly name: string
  readonly column: ProfileColumn
  /** Number of all rows. */
  readonly rows: number
  /** Called for a click on a bar. */
  readonly onFilter: RowFilterState["add"]
}

/** Draws the most frequent values of a column as bars, beside its type and what is missing. */
export function ColumnSketch({ name, column, rows, onFilter }: ColumnSketchProps): ReactElement {
  const { types, missing, distinct, estimated, top, min, max, lengths } = column
  const kinds = Object.keys(types).filter((name) => (types[name] ?? 0) > 0)
  const range =
    isNumeric(column) && min !== null && max !== null
      ? `${formatScore(min)} to ${formatScore(max)}`
      : lengths === null
        ? ""
        : `${lengths.min} to ${lengths.max} long`
  const text = [
    kinds.join(", "),
    `${estimated ? "about " : ""}${formatCount(distinct, "value")}`,
    range,
    ...(missing > 0 ? [`${formatCount(missing, "value")} missing`] : []),
    ...top.slice(0, 8).map(({ value, count }) => `${cellText(value).slice(0, 60)}: ${count}`),
  ]
    .filter((part) => part !== "")
    .join("\n")
  return (
    <span className="sketch" title={text}>
      {distinct <= 20 && top.length > 1 ? <ValueBars name={name} top={top} onFilter={onFilter} /> : null}
      <span className="words">
        {kinds.join(", ")}
        {missing > 0 ? ` · ${formatShare(missing / Math.max(1, rows))} missing` : range === "" ? "" : ` · ${range}`}
      </span>
    </span>
  )
}
