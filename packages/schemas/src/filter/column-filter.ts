import { checkFilterLength, FILTER_LIMITS } from "./filter-limits.ts"
import { badFilter, excerpt, type FilterLocation } from "./filter-syntax.ts"
import { FILTER_OPERATORS, type FilterOperand, type FilterOperator } from "./filter.ts"
import { readOperand } from "./read-comparison.ts"

/** A condition on the rows of a file. A missing value satisfies only `$eq` and `$in` with null. */
export interface ColumnFilter {
  /** The keys of the value within the row; the first one is the column. */
  readonly keys: readonly string[]
  readonly operator: FilterOperator
  /** Exactly one, except for `$in` and `$nin`. */
  readonly operands: readonly FilterOperand[]
}

const PARAMETER = /^filter\[([^[\]]+)\](?:\[\$?(\w+)\])?$/u
const MAX_FILTERS = 20
const MAX_VALUES = 100

/**
 * Parses filters of the rows of a file among decoded query parameters: `filter[score][$gte]=0.5`, `filter[label]=good`,
 * `filter[/meta/lang][$in]=de,en`, `filter[note][$like]=refund`. A field is a column, or a JSON pointer if it begins with `/`. As below the
 * free-form maps of filesets, `5` is the number and the text, and an empty value is null. All filters must hold. Other parameters are ignored.
 * @throws `bad_filter`, `invalid_request`
 */
export function parseColumnFilters(parameters: readonly (readonly [string, string])[]): readonly ColumnFilter[] {
  const given = parameters.filter(([parameter]) => /^filter\b/u.test(parameter))
  checkFilterLength(given)
  if (given.length > MAX_FILTERS) {
    throw badFilter(`there are ${given.length} filters; at most ${MAX_FILTERS} are read`, { parameter: "filter" })
  }
  return given.map(([parameter, value]) => {
    const [, field, word = "eq"] = PARAMETER.exec(parameter) ?? []
    if (field === undefined)
      throw badFilter("a column needs its own brackets, as in filter[score][$gte]", { parameter })
    const operator = FILTER_OPERATORS.find((one) => one === `$${word}`)
    if (operator === undefined) {
      const known = FILTER_OPERATORS.join(", ")
      throw badFilter(`${excerpt(field)} has no operator '$${excerpt(word)}'; use one of ${known}`, { parameter })
    }
    return { keys: parseColumn(field, { parameter }), operator, operands: operandsOf(operator, value, { parameter }) }
  })
}

/** Returns the keys of a column, or of a JSON pointer such as `/meta/lang`. @throws `bad_filter` */
export function parseColumn(field: string, location: FilterLocation): readonly string[] {
  if (!field.startsWith("/")) return [field]
  const keys = field
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
  if (keys.length <= FILTER_LIMITS.path) return keys
  throw badFilter(`the pointer has ${keys.length} keys; the limit is ${FILTER_LIMITS.path}`, location)
}

function operandsOf(operator: FilterOperator, value: string, location: FilterLocation): readonly FilterOperand[] {
  const texts = operator === "$in" || operator === "$nin" ? value.split(",") : [value]
  if (texts.length > MAX_VALUES) {
    throw badFilter(`there are ${texts.length} values; at most ${MAX_VALUES} are read`, location)
  }
  const loc = ["query", location.parameter]
  // A row has values of any type, like a free-form map.
  const rule = { kind: "json" } as const
  return texts.map((text) => readOperand({ kind: "untyped", text, location }, { rule, operator, loc }))
}
