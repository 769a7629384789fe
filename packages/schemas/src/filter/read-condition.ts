import { invalidRequest } from "../errors/assay-error.ts"
import { filterFieldRule, type FilterFieldRule, type FilterFields } from "./filter-fields.ts"
import { plainValue, type FilterSyntax } from "./filter-syntax.ts"
import type { Filter, FilterField } from "./filter.ts"
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
  if (operator === "$exists") {
    const isThere = readBoolean(value)
    if (isThere !== undefined) return presence(field, isThere)
    throw invalidRequest(loc, "Input should be true or false", "bool_parsing", plainValue(value))
  }
  const asked = operator === "$eq" ? askedPresence(value, rule, isWholeMap) : undefined
  return asked === undefined ? readComparison(syntax, fields) : presence(field, asked)
}

/** Returns whether a value that is compared with asks for a field with a value (true) or without one (false). Undefined: it does neither. */
function askedPresence(value: FilterSyntax, rule: FilterFieldRule, isWholeMap: boolean): boolean | undefined {
  if (isWholeMap && isNothing(value)) return false
  return rule.asksPresence === true ? readBoolean(value) : undefined
}

function isNothing(value: FilterSyntax): boolean {
  return value.kind === "scalar" ? value.value === null : value.kind === "untyped" && value.text === ""
}

function readBoolean(value: FilterSyntax): boolean | undefined {
  const given = value.kind === "untyped" ? value.text : value.kind === "scalar" ? value.value : undefined
  if (given === true || given === "true") return true
  return given === false || given === "false" ? false : undefined
}

function presence(field: FilterField, isThere: boolean): Filter {
  const missing: Filter = {
    kind: "comparison",
    field,
    operator: "$eq",
    operands: [{ readings: [null], written: null }],
  }
  return isThere ? { kind: "not", filter: missing } : missing
}
