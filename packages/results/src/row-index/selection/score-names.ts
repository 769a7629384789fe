import { invalidRequest } from "@assay/schemas"
import type { ColumnNumbers } from "../table/column.ts"
import type { RowTable } from "../table/row-table.ts"

const MAX_LISTED = 50

/** A score of a table. */
export interface NamedScore {
  /** As `metric.score`. */
  readonly name: string
  readonly numbers: ColumnNumbers
}

/**
 * Returns the score that is named `metric.score`, or `metric` if the metric has one score.
 * @throws `invalid_request` for a name that no row has, or that several scores have
 */
export function findScore(table: RowTable, name: string): NamedScore {
  const named = table.scoreNumbers(name)
  if (named !== undefined) return { name, numbers: named }
  const scores = table.scores.filter((score) => score.startsWith(`${name}.`))
  const [only] = scores
  const found = only === undefined || scores.length > 1 ? undefined : table.scoreNumbers(only)
  if (only !== undefined && found !== undefined) return { name: only, numbers: found }
  const shown = name.slice(0, 200)
  const message =
    scores.length > 1
      ? `The metric '${shown}' has several scores; name one of ${listed(scores)}.`
      : `No row has the score '${shown}'; the scores so far are ${listed(table.scores)}.`
  throw invalidRequest(["query"], message, "value_error", shown)
}

/** Returns the numbers of a score. @throws the errors of `findScore` */
export function requireScore(table: RowTable, name: string): ColumnNumbers {
  return findScore(table, name).numbers
}

function listed(scores: readonly string[]): string {
  if (scores.length === 0) return "none"
  const shown = scores.slice(0, MAX_LISTED).map((score) => `'${score.slice(0, 200)}'`)
  return scores.length > MAX_LISTED ? `${shown.join(", ")} and ${scores.length - MAX_LISTED} more` : shown.join(", ")
}
