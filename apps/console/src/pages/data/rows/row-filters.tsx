import { formatRowFilterTerm, parseRowFilterTerm, type RowFilterTerm } from "@assay/client"
import { useId, useState, type ReactElement } from "react"
import type { RowFilterState } from "./use-row-filters.ts"

/** Renders the field for a filter of rows, and each filter as a chip that removes it. */
export function RowFilterField({ terms, add, remove }: RowFilterState): ReactElement {
  const [text, setText] = useState("")
  const [isWrong, setIsWrong] = useState(false)
  const help = useId()
  return (
    <>
      <form
        className="row-filter"
        onSubmit={(event) => {
          event.preventDefault()
          const term = parseRowFilterTerm(text)
          setIsWrong(term === undefined && text.trim() !== "")
          if (term === undefined) return
          add(term)
          setText("")
        }}
      >
        <input
          type="search"
          aria-label="Filter rows"
          aria-invalid={isWrong}
          aria-describedby={isWrong ? help : undefined}
          placeholder="Filter, such as score>=0.5"
          title="A column, then =, !=, <, <=, >, >= or ~ (contains), and a value"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setIsWrong(false)
          }}
        />
        {isWrong ? (
          <span id={help} role="alert" className="wrong">
            Write a column, one of =, !=, &lt;, &lt;=, &gt;, &gt;= or ~, and a value.
          </span>
        ) : null}
      </form>
      <RowFilterChips terms={terms} remove={remove} />
    </>
  )
}

/** Renders each filter as a chip that removes it. */
export function RowFilterChips({ terms, remove }: Pick<RowFilterState, "terms" | "remove">): ReactElement {
  return (
    <>
      {terms.map((term) => {
        const shown = formatRowFilterTerm(term)
        return (
          <button
            key={shown}
            type="button"
            className="quiet chip"
            aria-label={`Remove the filter ${shown}`}
            onClick={() => remove(term)}
          >
            <span dir="auto">{wordsOf(term)}</span> ✕
          </button>
        )
      })}
    </>
  )
}

const SIGNS: Readonly<Record<string, string>> = {
  $eq: "=",
  $ne: "≠",
  $lt: "<",
  $lte: "≤",
  $gt: ">",
  $gte: "≥",
  $like: "contains",
}

/** Returns a filter as people read it, such as `topic contains ship`. Fields of items and scores are known by their names. */
function wordsOf({ field, operator, value }: RowFilterTerm): string {
  const name = field.replace(/^(?:item|score):(?=.)/u, "")
  return `${name} ${SIGNS[operator] ?? operator} ${value === "" ? "null" : value}`
}
