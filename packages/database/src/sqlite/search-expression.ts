import type { Filter, FilterComparison, FilterScalar } from "@assay/schemas"
import { canonicalNumber, isExactNumber } from "@assay/json"
import { fold } from "../fold.ts"

/** The search index consists of trigrams, so shorter text can't be searched. */
const HAS_THREE_LETTERS = /.{3}/su

/**
 * Returns a search expression that finds every fileset that matches `filter`, and possibly others. Undefined if it would
 * find all filesets.
 */
export function searchExpression(filter: Filter): string | undefined {
  if (filter.kind === "comparison") return anyOf(soughtTexts(filter))
  if (filter.kind === "not") return undefined
  const parts = filter.filters.map(searchExpression)
  if (filter.kind === "or") return anyOf(parts)
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? undefined : `(${known.join(" AND ")})`
}

function anyOf(parts: readonly (string | undefined)[]): string | undefined {
  return parts.length === 0 || parts.includes(undefined) ? undefined : `(${parts.join(" OR ")})`
}

/** Returns, for each value of a comparison, a text that every match contains. Undefined if there is no such text. */
function soughtTexts({ field, operator, operands }: FilterComparison): readonly (string | undefined)[] {
  const { column, path } = field
  const readings = operands.flatMap((operand) => operand.readings)
  if (column === "custom_fields" || column === "metadata") {
    const key = JSON.stringify(path.at(-1))
    if (operator === "$eq" || operator === "$in") {
      return readings.map((value) => (value === null ? undefined : sought("fields", `${key}:${jsonOf(value)}`)))
    }
    // The text without its quotes.
    return operator === "$like" ? readings.map((part) => sought("fields", jsonOf(part).slice(1, -1))) : [undefined]
  }
  const isSearched = operator === "$like" && (column === "name" || column === "description")
  return isSearched ? readings.map((part) => sought(column, fold(typeof part === "string" ? part : ""))) : [undefined]
}

/** Returns a value as JSON, as it is in a folded map. */
function jsonOf(value: FilterScalar): string {
  if (typeof value === "string") return JSON.stringify(fold(value))
  return JSON.stringify(typeof value === "number" || isExactNumber(value) ? canonicalNumber(value) : value)
}

function sought(column: "name" | "description" | "fields", text: string): string | undefined {
  return HAS_THREE_LETTERS.test(text) ? `${column}_folded : "${text.replaceAll('"', '""')}"` : undefined
}
