import type { RowFilterTerm } from "@assay/client"
import { formatInteger, formatScore } from "@assay/reports"
import type { ProfileColumn } from "@assay/schemas"
import type { KeyboardEvent, ReactElement } from "react"
import { cellText } from "./cell-text.ts"
import { termOfValue, termsOfBin, type RowFilterState } from "./use-row-filters.ts"

export interface ColumnBarsProps {
  readonly name: string
  readonly column: Pick<ProfileColumn, "distinct" | "top" | "histogram">
  readonly onFilter: RowFilterState["add"]
}

const HEIGHT = 16
const MAX_NAME = 60
/** Columns with more different values have no bars for single values. */
const MAX_VALUES = 20

/**
 * Renders the values of a column as bars: the ranges of its numbers, or its few different values. Each is a button that filters by its
 * range or value; arrow keys move among them.
 */
export function ColumnBars({ name, column, onFilter }: ColumnBarsProps): ReactElement | null {
  const bars = barsOf(name, column)
  if (bars.length < 2) return null
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <span className="bars" role="group" aria-label={`Values of ${name}`}>
      {bars.map(({ words, count, terms }, index) => (
        <button
          key={words}
          type="button"
          className="bar"
          tabIndex={index === 0 ? 0 : -1}
          disabled={terms.length === 0 || count === 0}
          aria-label={`Only rows with ${name} ${words}: ${count}`}
          title={`${words}: ${formatInteger(count)}`}
          onKeyDown={moveAmongBars}
          onClick={() => onFilter(...terms)}
        >
          <span style={{ height: count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT) }} />
        </button>
      ))}
    </span>
  )
}

interface Bar {
  readonly words: string
  readonly count: number
  /** The filters that mean exactly this bar; empty if there are none. */
  readonly terms: readonly RowFilterTerm[]
}

function barsOf(name: string, { distinct, top, histogram }: ColumnBarsProps["column"]): readonly Bar[] {
  if (histogram !== undefined) {
    return histogram.bins.map((bin) => ({
      words: `${formatScore(bin.lower_bound)} to ${formatScore(bin.upper_bound)}`,
      count: bin.count,
      terms: termsOfBin(name, bin),
    }))
  }
  if (distinct > MAX_VALUES) return []
  return top.map(({ value, count }) => ({
    words: value === null ? "null" : cellText(value).slice(0, MAX_NAME),
    count,
    terms: termOfValue(name, value),
  }))
}

function moveAmongBars({ key, currentTarget }: KeyboardEvent<HTMLButtonElement>): void {
  if (key !== "ArrowRight" && key !== "ArrowLeft") return
  const side = key === "ArrowRight" ? "nextElementSibling" : "previousElementSibling"
  for (let next = currentTarget[side]; next instanceof HTMLButtonElement; next = next[side]) {
    if (next.disabled) continue
    next.focus()
    return
  }
}
