import type { Filter, FilterComparison, FilterScalar } from "@assay/schemas"
import { fold } from "../../filter/fold.ts"

/** The search index knows text by three letters in a row: what has fewer can't be asked for. */
const HAS_THREE_LETTERS = /.{3}/su

/**
 * What to ask the search index for, so that every fileset that satisfies `filter` is in its answer; undefined where that
 * would be all of them.
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

/** For each value of a comparison the text that is in what it matches; undefined where that is not known. */
function soughtTexts({ field, operator, operands }: FilterComparison): readonly (string | undefined)[] {
  const { column, path } = field
  const readings = operands.flatMap((operand) => operand.readings)
  if (column === "custom_fields" || column === "metadata") {
    const key = JSON.stringify(path.at(-1))
    if (operator === "$eq" || operator === "$in") {
      return readings.map((value) => (value === null ? undefined : sought("fields", `${key}:${jsonOf(value)}`)))
    }
    // Within a text, between the quotes.
    return operator === "$like" ? readings.map((part) => sought("fields", jsonOf(part).slice(1, -1))) : [undefined]
  }
  const isSearched = operator === "$like" && (column === "name" || column === "description")
  return isSearched ? readings.map((part) => sought(column, fold(String(part)))) : [undefined]
}

/** A value as it stands in a folded map. */
function jsonOf(value: FilterScalar): string {
  return JSON.stringify(typeof value === "string" ? fold(value) : value)
}

function sought(column: "name" | "description" | "fields", text: string): string | undefined {
  return HAS_THREE_LETTERS.test(text) ? `${column}_folded : "${text.replaceAll('"', '""')}"` : undefined
}
