import { parseRowFilterTerm, type RowFilters } from "@assay/client"
import { AssayError } from "@assay/schemas/errors"

/** Parses filters such as `score:accuracy<0.5`, `error=rate_limited,bad_response`, `condition!=null`, `text~refund` and `item:topic=billing`. */
export function parseFilterOptions(texts: readonly string[]): RowFilters {
  const filters: Record<string, Record<string, string>> = {}
  for (const text of texts) {
    const term = parseRowFilterTerm(text)
    if (term === undefined) {
      const message = `'${text}' is not a filter; write a field, a sign and a value, such as 'score:accuracy<0.5', 'error=rate_limited' or 'text~refund'.`
      throw new AssayError("bad_usage", message)
    }
    const { field, value } = term
    // Several codes are a list. The value of a field of items may have commas.
    const isList = term.operator === "$eq" && value.includes(",") && !field.startsWith("item:")
    const operator = isList ? "$in" : term.operator
    filters[field] = { ...filters[field], [operator]: value }
  }
  return filters
}
