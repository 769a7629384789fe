import { invalidRequest } from "../errors/assay-error.ts"
import { neutralStorageType } from "../filesets/wire-names.ts"
import { isExactNumber } from "@assay/json"
import { badFilter, excerpt, plainValue, type FilterLocation, type FilterSyntax } from "./filter-syntax.ts"
import { filterFieldRule, formatFilterField, type FilterFieldRule, type FilterFields } from "./filter-fields.ts"
import {
  FILTER_OPERATORS,
  type FilterComparison,
  type FilterField,
  type FilterOperand,
  type FilterOperator,
  type FilterScalar,
} from "./filter.ts"
import { parseFilterDate } from "./parse-filter-date.ts"
import { parseJsonNumber } from "./tokenize-filter.ts"

/** A comparison as written, with its locations. */
export interface ComparisonSyntax {
  readonly field: FilterField
  readonly operator: string
  readonly value: FilterSyntax
  /** The location of the operator. */
  readonly location: FilterLocation
  /** The location of the value in the request. */
  readonly loc: readonly (string | number)[]
}

/** Reads a comparison. @throws `bad_filter` for an operator that the field does not have, `invalid_request` for a value of a wrong type */
export function readComparison(
  { field, operator, value, location, loc }: ComparisonSyntax,
  fields: FilterFields,
): FilterComparison {
  const name = formatFilterField(field)
  const rule = filterFieldRule(fields, field.column) ?? { kind: "text" }
  const { kind } = rule
  if (!isFilterOperator(operator)) {
    const known = [...FILTER_OPERATORS, "$exists", "$not"].join(", ")
    throw badFilter(`${name} has no operator '${excerpt(operator)}'; use one of ${known}`, location)
  }
  if (kind === "json" && field.path.length === 0) {
    throw badFilter(`${name} is a map; name a key below it, as in ${name}.key`, location)
  }
  if (kind === "date" && operator === "$like") {
    throw badFilter(`${name} is a date, which $like can't search; use $gte and $lt`, location)
  }
  if (operator !== "$in" && operator !== "$nin") {
    return { kind: "comparison", field, operator, operands: [readOperand(value, { rule, operator, loc })] }
  }
  if (value.kind !== "list") throw invalidRequest(loc, "Input should be a valid list", "list_type", plainValue(value))
  const operands = value.items.map((item, index) => readOperand(item, { rule, operator, loc: [...loc, index] }))
  return { kind: "comparison", field, operator, operands }
}

function isFilterOperator(word: string): word is FilterOperator {
  return FILTER_OPERATORS.some((operator) => operator === word)
}

/** The type and the operator of a value, and its location in the request. */
interface OperandContext {
  readonly rule: FilterFieldRule
  readonly operator: FilterOperator
  readonly loc: readonly (string | number)[]
}

/** Reads one value of a comparison by the type of its field. @throws `invalid_request` if the type is wrong */
export function readOperand(syntax: FilterSyntax, context: OperandContext): FilterOperand {
  const { rule } = context
  const fail = (msg: string, type: string) => invalidRequest(context.loc, msg, type, plainValue(syntax))
  const takesNull = context.operator === "$eq" || context.operator === "$in" || context.operator === "$nin"
  const operand = readType(syntax, rule)
  const value = operand?.written
  if (context.operator === "$like" || rule.kind === "text") {
    if (typeof value === "string" || (value === null && takesNull)) return exactly(value)
    throw fail("Input should be a valid string", "string_type")
  }
  if (rule.kind === "enum") return exactly(readWord(value, rule.values ?? [], fail))
  if (rule.kind === "date") return exactly(value === null && takesNull ? null : readDate(value, fail))
  if (operand !== undefined) {
    checkDigits(operand, syntax.location)
    return operand
  }
  throw fail("Input should be a string, a number, true, false or null", "scalar_type")
}

/** A number is compared with each record by all of its digits. */
const MAX_NUMBER_CHARACTERS = 400

/** @throws `bad_filter` for a number of very many digits */
function checkDigits({ readings }: FilterOperand, location: FilterLocation): void {
  if (readings.every((value) => !isExactNumber(value) || value.rawJSON.length <= MAX_NUMBER_CHARACTERS)) return
  throw badFilter(`a number has more than ${MAX_NUMBER_CHARACTERS} characters`, location)
}

type Fail = (msg: string, type: string) => Error

function exactly(value: FilterScalar): FilterOperand {
  return { readings: [value], written: value }
}

/** Returns the value in each type that it can have; undefined for a list or an object. In brackets every value is text. */
function readType(syntax: FilterSyntax, rule: FilterFieldRule): FilterOperand | undefined {
  if (syntax.kind === "scalar") return exactly(syntax.value)
  if (syntax.kind !== "untyped") return undefined
  const { text } = syntax
  if (text === "") return exactly(rule.canBeEmpty === true ? "" : null)
  const other = text === "true" || text === "false" ? text === "true" : parseJsonNumber(text)
  return { readings: other === undefined ? [text] : [other, text], written: text }
}

/** Reads a word of a list. The vendors' words for storage types are accepted too. */
function readWord(value: FilterScalar | undefined, words: readonly string[], fail: Fail): FilterScalar {
  const word = neutralStorageType(value)
  if (typeof word === "string" && words.includes(word)) return word
  const quoted = words.map((word) => `'${word}'`)
  throw fail(`Input should be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`, "enum")
}

function readDate(value: FilterScalar | undefined, fail: Fail): FilterScalar {
  if (typeof value !== "string") throw fail("Input should be a valid datetime", "datetime_type")
  const date = parseFilterDate(value)
  if (date !== undefined) return date
  const msg = `Input should be a valid datetime: '${excerpt(value)}' is not ISO 8601, as in 2026-11-20T08:14:03Z`
  throw fail(msg, "datetime_parsing")
}
