import { invalidRequest } from "@assay/schemas"
import type { ColumnNumbers } from "./column.ts"
import type { RowTable } from "./row-table.ts"

const MAX_LISTED = 50

/**
 * Returns the numbers of a score that is named `metric.score`, or `metric` if the metric has one score.
 * @throws `invalid_request` for a name that no row has, or that several scores have
 */
export function requireScore(table: RowTable, name: string): ColumnNumbers {
  const named = table.scoreNumbers(name)
  if (named !== undefined) return named
  const scores = table.scores.filter((score) => score.startsWith(`${name}.`))
  const [only] = scores
  const found = only === undefined || scores.length > 1 ? undefined : table.scoreNumbers(only)
  if (found !== undefined) return found
  const shown = name.slice(0, 200)
  const message =
    scores.length > 1
      ? `The metric '${shown}' has several scores; name one of ${listed(scores)}.`
      : `No row has the score '${shown}'; the scores so far are ${listed(table.scores)}.`
  throw invalidRequest(["query"], message, "value_error", shown)
}

function listed(scores: readonly string[]): string {
  if (scores.length === 0) return "none"
  const shown = scores.slice(0, MAX_LISTED).map((score) => `'${score.slice(0, 200)}'`)
  return scores.length > MAX_LISTED ? `${shown.join(", ")} and ${scores.length - MAX_LISTED} more` : shown.join(", ")
}
