import { formatCount, formatScore, formatShare } from "@assay/reports"
import type { ProfileColumn } from "@assay/schemas"
import type { ReactElement } from "react"
import { cellText, isNumeric } from "./cell-text.ts"

export interface ColumnSketchProps {
  readonly column: ProfileColumn
  /** Number of all rows. */
  readonly rows: number
}

const BAR = 7
const HEIGHT = 16

/** Draws the most frequent values of a column as bars, beside its type and what is missing. */
export function ColumnSketch({ column, rows }: ColumnSketchProps): ReactElement {
  const { types, missing, distinct, estimated, top, min, max, lengths } = column
  const kinds = Object.keys(types).filter((name) => (types[name] ?? 0) > 0)
  const most = Math.max(1, ...top.map(({ count }) => count))
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
      {distinct <= 20 && top.length > 1 ? (
        <svg
          viewBox={`0 0 ${top.length * (BAR + 1)} ${HEIGHT}`}
          width={top.length * (BAR + 1)}
          height={HEIGHT}
          aria-hidden="true"
        >
          {top.map(({ value, count }, place) => {
            const height = Math.max(1, (count / most) * HEIGHT)
            return (
              <rect
                key={cellText(value)}
                className="bin"
                x={place * (BAR + 1)}
                y={HEIGHT - height}
                width={BAR}
                height={height}
              />
            )
          })}
        </svg>
      ) : null}
      <span className="words">
        {kinds.join(", ")}
        {missing > 0 ? ` · ${formatShare(missing / Math.max(1, rows))} missing` : range === "" ? "" : ` · ${range}`}
      </span>
    </span>
  )
}
