import { invalidRequest } from "../errors/assay-error.ts"
import { badFilter } from "./bad-filter.ts"
import { excerpt } from "./excerpt.ts"
import { FILESET_FILTER_FIELDS } from "./fileset-filter-fields.ts"
import type { FilterPlace, FilterSyntax } from "./filter-syntax.ts"
import { FILTER_OPERATORS, type FilterComparison, type FilterField, type FilterOperator } from "./filter.ts"
import { formatFilterField } from "./format-filter-field.ts"
import { plainValue } from "./plain-value.ts"
import { readOperand } from "./read-operand.ts"

export interface ComparisonSyntax {
  readonly field: FilterField
  readonly operator: string
  readonly value: FilterSyntax
  /** Where the operator stands. */
  readonly place: FilterPlace
  /** Where the value stands in the request. */
  readonly loc: readonly (string | number)[]
}

/** @throws `bad_filter` for an operator that the field does not have, `invalid_request` for a value of a wrong type */
export function readComparison({ field, operator, value, place, loc }: ComparisonSyntax): FilterComparison {
  const name = formatFilterField(field)
  const { kind } = FILESET_FILTER_FIELDS[field.column]
  if (!isFilterOperator(operator)) {
    const known = [...FILTER_OPERATORS, "$not"].join(", ")
    throw badFilter(`${name} has no operator '${excerpt(operator)}'; there are ${known}`, place)
  }
  if (kind === "json" && field.path.length === 0) {
    throw badFilter(`${name} is a map; name a key below it, as in ${name}.key`, place)
  }
  if (kind === "date" && operator === "$like") {
    throw badFilter(`${name} is a date, which $like can't search; use $gte and $lt`, place)
  }
  if (operator !== "$in" && operator !== "$nin") {
    return { kind: "comparison", field, operator, operands: [readOperand(value, { field, operator, loc })] }
  }
  if (value.kind !== "list") throw invalidRequest(loc, "Input should be a valid list", "list_type", plainValue(value))
  const operands = value.items.map((item, index) => readOperand(item, { field, operator, loc: [...loc, index] }))
  return { kind: "comparison", field, operator, operands }
}

function isFilterOperator(word: string): word is FilterOperator {
  return FILTER_OPERATORS.some((operator) => operator === word)
}
