import { formatCount, formatInteger, formatScore, formatShare } from "@assay/reports"
import type { ProfileColumn } from "@assay/schemas"
import type { ReactElement } from "react"
import { cellText, isNumeric } from "./cell-text.ts"
import { termOfValue, termsOfBin, type RowFilterState } from "./use-row-filters.ts"

export interface ColumnPanelProps {
  readonly name: string
  readonly column: ProfileColumn
  /** Number of all rows. */
  readonly rows: number
  readonly onFilter: RowFilterState["add"]
  readonly onClose: () => void
}

/** Shows what all rows have in one column: types, what is missing, ranges, a histogram and the most frequent values. Each bar filters. */
export function ColumnPanel({ name, column, rows, onFilter, onClose }: ColumnPanelProps): ReactElement {
  return (
    <aside className="card attempts" aria-label={`Column ${name}`}>
      <header className="actions">
        <h2 dir="auto">{name}</h2>
        <span className="gap" />
        <button type="button" className="quiet" onClick={onClose}>
          Close
        </button>
      </header>
      <ColumnFacts column={column} rows={rows} />
      <ValueBars name={name} column={column} rows={rows} onFilter={onFilter} />
    </aside>
  )
}

function ColumnFacts({ column, rows }: Pick<ColumnPanelProps, "column" | "rows">): ReactElement {
  const { types, missing, distinct, estimated, min, max, lengths } = column
  const share = (count: number) => `${formatInteger(count)} (${formatShare(count / Math.max(1, rows))})`
  const facts: readonly (readonly [string, string])[] = [
    ...Object.entries(types).flatMap(([type, count]) => (count > 0 ? [[type, share(count)] as const] : [])),
    ["missing", share(missing)],
    ["different", `${estimated ? "about " : ""}${formatInteger(distinct)}`],
    ...(isNumeric(column) && min !== null && max !== null
      ? [["range", `${formatScore(min)} to ${formatScore(max)}`] as const]
      : []),
    ...(lengths === null
      ? []
      : [
          [
            "length",
            `${lengths.min} to ${formatInteger(lengths.max)}, ${formatScore(lengths.mean)} on average`,
          ] as const,
        ]),
  ]
  return (
    <dl className="column-facts">
      {facts.map(([what, value]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const MAX_VALUES = 20
const MAX_NAME = 120

function ValueBars({ name, column, rows, onFilter }: Omit<ColumnPanelProps, "onClose">): ReactElement | null {
  const { histogram, top, estimated } = column
  const bars =
    histogram === undefined
      ? top.slice(0, MAX_VALUES).map(({ value, count }) => ({
          words: value === null ? "null" : cellText(value).slice(0, MAX_NAME),
          count,
          terms: termOfValue(name, value),
        }))
      : histogram.bins.map((bin) => ({
          words: `${formatScore(bin.lower_bound)} to ${formatScore(bin.upper_bound)}`,
          count: bin.count,
          terms: termsOfBin(name, bin),
        }))
  if (bars.length === 0) return null
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const shown = bars.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <h3>
        {histogram === undefined ? (estimated ? "Most frequent values, about" : "Most frequent values") : "Histogram"}
      </h3>
      <ul className="value-bars">
        {bars.map(({ words, count, terms }) => (
          <li key={words}>
            <button
              type="button"
              className="quiet"
              disabled={terms.length === 0 || count === 0}
              title={`Only rows with ${name} ${words}`}
              onClick={() => onFilter(...terms)}
            >
              <span className="cut" dir="auto">
                {words === "" ? "(empty)" : words}
              </span>
              <span className="number">{formatInteger(count)}</span>
              <progress max={most} value={count} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      {histogram === undefined && shown < rows - column.missing ? (
        <p className="soft">{formatCount(Math.max(0, rows - column.missing - shown), "further value")}</p>
      ) : null}
    </>
  )
}
