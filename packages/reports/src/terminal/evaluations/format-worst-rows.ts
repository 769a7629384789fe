import type { ScoredRow } from "@assay/schemas"
import { cutLine } from "../../text/cut-text.ts"
import { formatScore } from "../../text/format-number.ts"
import { formatTable, type Layout } from "../format-table.ts"

/** A row that is shown because it is among the worst. */
export type WorstRow = Pick<ScoredRow, "task" | "row_index" | "repeat" | "item" | "output" | "scores" | "error">

const MAX_ROWS = 3
const MAX_SCORES = 3
const SHOWN_TEXT = 80

/** Formats at most three of the worst rows, with their scores. Empty if there are none. */
export function formatWorstRows(rows: readonly WorstRow[], layout: Layout = {}): string {
  if (rows.length === 0) return ""
  return formatTable(
    rows.slice(0, MAX_ROWS),
    [
      { heading: "WORST ROWS", value: addressOf },
      { heading: "SCORES", value: (row) => row.error?.code ?? scoresOf(row) },
      { heading: "ROW", drop: 1, value: ({ item }) => cutLine(JSON.stringify(item), SHOWN_TEXT) },
      { heading: "ANSWER", value: ({ output, error }) => cutLine(error?.message ?? output ?? "–", SHOWN_TEXT) },
    ],
    layout,
  )
}

/** Returns the address of a row as `assay eval rows --row` takes it, with its repeat after a `#`. */
function addressOf({ task, row_index, repeat }: WorstRow): string {
  return `${task}/${row_index}${repeat === 0 ? "" : `#${repeat}`}`
}

function scoresOf({ scores }: WorstRow): string {
  return Object.entries(scores)
    .flatMap(([metric, found]) => Object.entries(found).map(([score, value]) => [`${metric}.${score}`, value] as const))
    .slice(0, MAX_SCORES)
    .map(([name, value]) => `${name} ${value === "NaN" ? "unreadable" : formatScore(value)}`)
    .join(", ")
}
