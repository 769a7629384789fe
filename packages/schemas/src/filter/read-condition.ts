import { invalidRequest } from "../errors/assay-error.ts"
import { filterFieldRule, type FilterFields } from "./filter-fields.ts"
import { plainValue } from "./filter-syntax.ts"
import type { Filter } from "./filter.ts"
import { readComparison, type ComparisonSyntax } from "./read-comparison.ts"

/**
 * Reads a condition on a field: a comparison, or one of the ways to ask whether it has a value. `$exists` is such a way for every field.
 *
 * @throws `bad_filter` for an operator that the field does not have, `invalid_request` for a value of a wrong type
 */
export function readCondition(syntax: ComparisonSyntax, fields: FilterFields): Filter {
  const { field, operator, value, loc } = syntax
  const rule = filterFieldRule(fields, field.column) ?? { kind: "text" }
  const isWholeMap = rule.kind === "json" && field.path.length === 0
  if (isWholeMap && rule.within === undefined) return readComparison({ ...syntax, operator: "$eq" }, fields)
  const operands = [{ readings: [null], written: null }]
  const missing: Filter = { kind: "comparison", field, operator: "$eq", operands }
  const presence = (isThere: boolean): Filter => (isThere ? { kind: "not", filter: missing } : missing)
  const given = value.kind === "untyped" ? value.text : value.kind === "scalar" ? value.value : undefined
  const isThere = given === true || given === "true" ? true : given === false || given === "false" ? false : undefined
  if (operator === "$exists") {
    if (isThere !== undefined) return presence(isThere)
    throw invalidRequest(loc, "Input should be true or false", "bool_parsing", plainValue(value))
  }
  if (operator === "$eq" && isWholeMap && (given === null || given === "")) return missing
  const isAsked = operator === "$eq" && rule.within !== undefined && isThere !== undefined
  return isAsked ? presence(isThere) : readComparison(syntax, fields)
}
