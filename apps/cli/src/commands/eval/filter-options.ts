import type { RowFilters } from "@assay/client"
import { AssayError } from "@assay/schemas/errors"

const FILTER = /^([^<>=!~]+)(<=|>=|!=|<|>|=|~)(.*)$/su
const OPERATORS: Readonly<Record<string, string>> = {
  "<": "$lt",
  "<=": "$lte",
  ">": "$gt",
  ">=": "$gte",
  "=": "$eq",
  "!=": "$nin",
  "~": "$like",
}

/** Parses filters such as `score:accuracy<0.5`, `error=rate_limited,bad_response`, `condition!=null` and `text~refund`. */
export function parseFilterOptions(texts: readonly string[]): RowFilters {
  const filters: Record<string, Record<string, string>> = {}
  for (const text of texts) {
    const [, name, sign, value] = FILTER.exec(text) ?? []
    if (name === undefined || sign === undefined || value === undefined) {
      const message = `'${text}' is not a filter; write a field, a sign and a value, such as 'score:accuracy<0.5', 'error=rate_limited' or 'text~refund'.`
      throw new AssayError("bad_usage", message)
    }
    const operator = sign === "=" && value.includes(",") ? "$in" : (OPERATORS[sign] ?? sign)
    const field = name.trim()
    filters[field] = { ...filters[field], [operator]: value.trim() }
  }
  return filters
}
