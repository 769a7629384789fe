import type { Filter, FilterComparison } from "@assay/schemas"
import { fold } from "../../filter/fold.ts"

/** The search index knows text by three letters in a row: what has fewer can't be asked for. */
const HAS_THREE_LETTERS = /.{3}/su

/**
 * What to ask the search index for, so that every fileset that satisfies `filter` is in its answer; undefined where that
 * would be all of them.
 */
export function searchExpression(filter: Filter): string | undefined {
  if (filter.kind === "comparison") return comparedText(filter)
  if (filter.kind === "not") return undefined
  const parts = filter.filters.map(searchExpression)
  const known = parts.filter((part) => part !== undefined)
  if (filter.kind === "or" && known.length < parts.length) return undefined
  return known.length === 0 ? undefined : `(${known.join(filter.kind === "or" ? " OR " : " AND ")})`
}

function comparedText({ field, operator, operands }: FilterComparison): string | undefined {
  if (operator !== "$like" || (field.column !== "name" && field.column !== "description")) return undefined
  const [part, ...others] = operands.flatMap((operand) => operand.readings)
  if (typeof part !== "string" || others.length > 0) return undefined
  const folded = fold(part)
  if (!HAS_THREE_LETTERS.test(folded)) return undefined
  return `${field.column}_folded : "${folded.replaceAll('"', '""')}"`
}
