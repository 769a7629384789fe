import type { ProfileColumn } from "@assay/schemas"
import type { KeyboardEvent, ReactElement } from "react"
import { cellText } from "./cell-text.ts"
import { termOfValue, type RowFilterState } from "./use-row-filters.ts"

export interface ValueBarsProps {
  readonly name: string
  readonly top: ProfileColumn["top"]
  readonly onFilter: RowFilterState["add"]
}

const HEIGHT = 16
const MAX_NAME = 60

/** Renders the most frequent values of a column as bars. Each is a button that filters by its value; arrow keys move among them. */
export function ValueBars({ name, top, onFilter }: ValueBarsProps): ReactElement {
  const most = Math.max(1, ...top.map(({ count }) => count))
  return (
    <span className="bars" role="group" aria-label={`Values of ${name}`}>
      {top.map(({ value, count }, place) => {
        const term = termOfValue(name, value)
        const words = `${value === null ? "null" : cellText(value).slice(0, MAX_NAME)}: ${count}`
        return (
          <button
            key={words}
            type="button"
            className="bar"
            tabIndex={place === 0 ? 0 : -1}
            disabled={term === undefined}
            aria-label={`Only rows with ${name} ${words}`}
            title={words}
            onKeyDown={moveAmongBars}
            onClick={() => term !== undefined && onFilter(term)}
          >
            <span style={{ height: Math.max(1, (count / most) * HEIGHT) }} />
          </button>
        )
      })}
    </span>
  )
}

function moveAmongBars({ key, currentTarget }: KeyboardEvent<HTMLButtonElement>): void {
  const next = key === "ArrowRight" ? currentTarget.nextElementSibling : currentTarget.previousElementSibling
  if ((key === "ArrowRight" || key === "ArrowLeft") && next instanceof HTMLButtonElement) next.focus()
}
