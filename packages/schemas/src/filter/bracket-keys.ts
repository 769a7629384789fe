import { JSON_LIMITS, jsonExcess } from "../requests/json-shape.ts"
import { badFilter } from "./bad-filter.ts"
import { isMapColumn } from "./fileset-filter-fields.ts"
import { FILTER_OPERATORS } from "./filter.ts"
import { splitFieldName } from "./split-field-name.ts"

const COMPARISONS: ReadonlySet<string> = new Set(FILTER_OPERATORS)
const LOGIC: ReadonlySet<string> = new Set(["$and", "$or", "$not"])

/**
 * The keys of a parameter as the objects of the JSON form would nest them, every operator with its `$`:
 * `filter[created_at][gte]` has `created_at` and `$gte`. Below a free-form map a word without `$` is an operator at the
 * end only, and never right below the map: `filter[custom_fields][in]` is the field `in`.
 *
 * @throws `bad_filter` where the brackets don't pair, `invalid_request` for more keys than JSON_LIMITS.depth
 */
export function bracketKeys(parameter: string): readonly string[] {
  const keys = splitBrackets(parameter)
  const field = keys.findIndex((key) => withDollar(key) !== "$not")
  const operators = field < 0 ? 0 : firstOperator(keys, field)
  return keys.map((key, index) => (index <= field || index >= operators ? withDollar(key) : key))
}

function splitBrackets(parameter: string): readonly string[] {
  const keys: string[] = []
  let at = parameter.indexOf("[")
  while (at < parameter.length) {
    const close = parameter.indexOf("]", at)
    if (parameter[at] !== "[" || close <= at + 1) {
      throw badFilter("each key stands in its own brackets, as in filter[name][$like]", { parameter })
    }
    keys.push(parameter.slice(at + 1, close))
    // Each key is a level of the object that the parameter writes.
    if (keys.length > JSON_LIMITS.depth) throw jsonExcess({ limit: "depth", position: at }, ["query", "filter"])
    at = close + 1
  }
  return keys
}

/** The index of the first key that is no part of a field's name. */
function firstOperator(keys: readonly string[], field: number): number {
  const names = splitFieldName(keys[field] ?? "") ?? []
  const [column, ...path] = names[0] === "data" ? names.slice(1) : names
  if (column === undefined || !isMapColumn(column)) return field + 1
  const least = path.length === 0 ? field + 2 : field + 1
  let first = keys.length
  if (first > least && COMPARISONS.has(withDollar(keys[first - 1] ?? ""))) first -= 1
  while (first > least && withDollar(keys[first - 1] ?? "") === "$not") first -= 1
  return first
}

function withDollar(word: string): string {
  const operator = `$${word}`
  return COMPARISONS.has(operator) || LOGIC.has(operator) ? operator : word
}
