import * as fc from "fast-check"
import { exactNumber } from "@assay/json"
import { PURPOSES } from "../filesets/fileset.ts"
import { STORAGE_TYPES } from "../filesets/storage-configuration.ts"
import type { FilesetFilterColumn } from "../filter/filter-fields.ts"
import {
  FILTER_OPERATORS,
  type Filter,
  type FilterComparison,
  type FilterField,
  type FilterOperand,
  type FilterOperator,
  type FilterScalar,
} from "../filter/filter.ts"
import {
  idArbitrary,
  keyArbitrary,
  nameArbitrary,
  scalarArbitrary,
  timestampArbitrary,
  wordArbitrary,
} from "./vocabulary.ts"

export interface FilterArbitraryOptions {
  /** Whether values can have several readings, like text in brackets. Default true. */
  readonly ambiguous?: boolean
}

/** Generates filters that `parseFilesetFilter` can return, over every field, operator and type of value. */
export function filterArbitrary({ ambiguous = true }: FilterArbitraryOptions = {}): fc.Arbitrary<Filter> {
  return fc.letrec<{ filter: Filter; group: Filter; negation: Filter; comparison: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4, depthIdentifier: "filter" },
      { weight: 3, arbitrary: tie("comparison") },
      { weight: 1, arbitrary: tie("group") },
      { weight: 1, arbitrary: tie("negation") },
    ),
    group: fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      filters: fc.array(tie("filter"), { maxLength: 3, depthIdentifier: "filter" }),
    }),
    negation: fc.record({ kind: fc.constant("not" as const), filter: tie("filter") }),
    comparison: comparisonArbitrary(ambiguous),
  })).filter
}

function comparisonArbitrary(ambiguous: boolean): fc.Arbitrary<FilterComparison> {
  return fc.oneof(
    columns(["id"], (operator) => nullable(operator, fc.oneof(idArbitrary(), wordArbitrary()))),
    columns(["name", "workspace", "project", "description"], (operator) =>
      nullable(operator, fc.oneof(wordArbitrary(), nameArbitrary(), fc.constantFrom("default", "other"))),
    ),
    columns(["created_at", "updated_at"], (operator) => nullable(operator, timestampArbitrary()), ["$like"]),
    columns(["purpose"], (operator) => (operator === "$like" ? wordArbitrary() : fc.constantFrom(...PURPOSES))),
    columns(["storage_type"], (operator) =>
      operator === "$like" ? wordArbitrary() : fc.constantFrom(...STORAGE_TYPES),
    ),
    { weight: 4, arbitrary: jsonComparison(ambiguous) },
  )
}

/** Adds null for operators of equality. Null means a missing value, so no other operator accepts it. */
function nullable(operator: FilterOperator, text: fc.Arbitrary<string>): fc.Arbitrary<FilterScalar> {
  const takesNull = operator === "$eq" || operator === "$in" || operator === "$nin"
  return takesNull ? fc.option(text, { freq: 5 }) : text
}

function columns(
  names: readonly FilesetFilterColumn[],
  value: (operator: FilterOperator) => fc.Arbitrary<FilterScalar>,
  without: readonly FilterOperator[] = [],
): fc.Arbitrary<FilterComparison> {
  const field = fc.constantFrom(...names).map((column): FilterField => ({ column, path: [] }))
  const operator = fc.constantFrom(...FILTER_OPERATORS.filter((operator) => !without.includes(operator)))
  return comparison(field, operator, (operator) =>
    value(operator).map((value) => ({ readings: [value], written: value })),
  )
}

function jsonComparison(ambiguous: boolean): fc.Arbitrary<FilterComparison> {
  const path = fc.oneof({ weight: 3, arbitrary: fc.tuple(keyArbitrary()) }, fc.tuple(keyArbitrary(), keyArbitrary()))
  const free = path.map((path): FilterField => ({ column: "custom_fields", path }))
  const known = fc
    .constantFrom(
      ["dataset", "schema"],
      ["dataset"],
      ["model", "tool_calling", "auto_tool_choice"],
      ["model", "tool_calling", "tool_call_parser"],
    )
    .map((path): FilterField => ({ column: "metadata", path }))
  const field = fc.oneof({ weight: 4, arbitrary: free }, known)
  return comparison(field, fc.constantFrom(...FILTER_OPERATORS), (operator) => {
    if (operator === "$like") return wordArbitrary().map((text) => ({ readings: [text], written: text }))
    const plain = scalarArbitrary().map((value): FilterOperand => ({ readings: [value], written: value }))
    return ambiguous ? fc.oneof({ weight: 3, arbitrary: plain }, fc.constantFrom(...AMBIGUOUS)) : plain
  })
}

const AMBIGUOUS: readonly FilterOperand[] = [
  { readings: [5, "5"], written: "5" },
  { readings: [10, "10"], written: "10" },
  { readings: [5, "5.0"], written: "5.0" },
  { readings: [exactNumber("9007199254740993"), "9007199254740993"], written: "9007199254740993" },
  { readings: [exactNumber("1e400"), "1e400"], written: "1e400" },
  { readings: [exactNumber("-1e-99999"), "-1e-99999"], written: "-1e-99999" },
  { readings: [true, "true"], written: "true" },
]

function comparison(
  field: fc.Arbitrary<FilterField>,
  operator: fc.Arbitrary<FilterOperator>,
  operand: (operator: FilterOperator) => fc.Arbitrary<FilterOperand>,
): fc.Arbitrary<FilterComparison> {
  return fc.tuple(field, operator).chain(([field, operator]) => {
    const isList = operator === "$in" || operator === "$nin"
    return fc
      .array(operand(operator), isList ? { maxLength: 3 } : { minLength: 1, maxLength: 1 })
      .map((operands): FilterComparison => ({ kind: "comparison", field, operator, operands }))
  })
}
