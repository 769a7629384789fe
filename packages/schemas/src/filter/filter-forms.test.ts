import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { filesetArbitrary } from "../testing/fileset-arbitrary.ts"
import { filterArbitrary } from "../testing/filter-arbitrary.ts"
import { matchesFilter } from "../testing/matches-filter.ts"
import { formatFilterField } from "./filter-fields.ts"
import type { Filter, FilterComparison, FilterScalar } from "./filter.ts"
import { formatFilter } from "./format-filter.ts"
import type { QueryParameter } from "./parse-bracket-filter.ts"
import { parseFilesetFilter } from "./parse-fileset-filter.ts"

const TEXT_OPERATORS = {
  $eq: ":",
  $like: "~",
  $lt: "<",
  $lte: "<=",
  $gt: ">",
  $gte: ">=",
  $in: " IN ",
  $nin: " NOT IN ",
} as const

/** Writes a filter in the text form. An empty list of alternatives becomes a missing id, which no record has. */
function textForm(filter: Filter): string {
  if (filter.kind === "comparison") {
    const values = filter.operands.map(({ written }) => JSON.stringify(written))
    const isList = filter.operator === "$in" || filter.operator === "$nin"
    return (
      formatFilterField(filter.field) +
      TEXT_OPERATORS[filter.operator] +
      (isList ? `[${values.join()}]` : values.join())
    )
  }
  if (filter.kind === "not") return `-(${textForm(filter.filter)})`
  if (filter.filters.length === 0) return filter.kind === "or" ? "id:null" : "-id:null"
  const terms = filter.filters.map((part) => `(${textForm(part)})`)
  return terms.join(filter.kind === "or" ? " OR " : " ")
}

/** Writes a filter in the bracket form: one parameter for each comparison, with a JSON value if plain text would have another type. */
function bracketForm(filter: Filter): readonly QueryParameter[] {
  const parts = filter.kind === "and" ? filter.filters : [filter]
  return parts.map((part) => {
    if (part.kind !== "comparison") return [`filter[$and]`, JSON.stringify([formatFilter(part)])]
    const name = `filter${[part.field.column, ...part.field.path].map((key) => `[${key}]`).join("")}`
    const bare = bareValue(part)
    const canNest = part.field.path.every((key) => key !== "" && key !== "in" && !key.startsWith("$"))
    if (!canNest) return [`filter[$and]`, JSON.stringify([formatFilter(part)])]
    if (bare !== undefined) return [`${name}[${part.operator}]`, bare]
    const values = part.operands.map(({ written }) => written)
    const value = part.operator === "$in" || part.operator === "$nin" ? values : values[0]
    return [name, JSON.stringify({ [part.operator]: value })]
  })
}

function bareValue({ field, operator, operands }: FilterComparison): string | undefined {
  const [value, ...others] = operands.map(({ written }): FilterScalar => written)
  const isBare = typeof value === "string" && value !== "" && !/^[[{]|,/.test(value)
  return isBare && others.length === 0 && field.path.length === 0 && operator !== "$in" ? value : undefined
}

describe("the three forms of a filter", () => {
  const records = fc.array(filesetArbitrary(), { minLength: 20, maxLength: 20 })
  const given = fc.tuple(filterArbitrary({ ambiguous: false }), records)

  const forms: readonly (readonly [string, (filter: Filter) => readonly QueryParameter[]])[] = [
    ["JSON", (filter) => [["filter", JSON.stringify(formatFilter(filter))]]],
    ["text", (filter) => [["filter", textForm(filter)]]],
    ["brackets", bracketForm],
  ]

  it.each(forms)("mean the same to every record: %s", verifies("filter.forms-agree", "filter.echo"), (_, write) => {
    fc.assert(
      fc.property(given, ([filter, records]) => {
        const parsed = parseFilesetFilter(write(filter))
        const found = records.map((record) => parsed === undefined || matchesFilter(record, parsed))
        expect(found).toEqual(records.map((record) => matchesFilter(record, filter)))
      }),
      { numRuns: 500 },
    )
  })
})
