import { JSON_LIMITS } from "@assay/json"
import { jsonExcess } from "../requests/json-shape.ts"
import { badFilter, type FilterEntrySyntax, type FilterObjectSyntax, type FilterSyntax } from "./filter-syntax.ts"
import {
  FILESET_FILTER_FIELDS,
  FILTER_WRAPPER,
  isMapColumn,
  splitFieldName,
  type FilterFields,
} from "./filter-fields.ts"
import { FILTER_OPERATORS, type Filter } from "./filter.ts"
import { readJson } from "./parse-json-filter.ts"
import { readFilter } from "./read-filter.ts"

/** A parameter of the query string, decoded. */
export type QueryParameter = readonly [name: string, value: string]

/**
 * Parses the bracket form: `filter[purpose]=dataset`, `filter[created_at][$gte]=2025-01-01`, `filter[custom_fields][team]=a`.
 * All parameters together form one object, as in the JSON form. If a key is given twice, both conditions hold. If a list is given
 * twice, it is one list.
 *
 * @throws `bad_filter`, `unknown_filter_field`, `invalid_request`
 */
export function parseBracketFilter(
  parameters: readonly QueryParameter[],
  fields: FilterFields = FILESET_FILTER_FIELDS,
): Filter {
  const root: BracketNode = { parameter: "filter", values: [], children: new Map() }
  for (const parameter of parameters) addParameter(root, parameter, fields)
  return readFilter(objectOf(root), ["query", "filter"], fields)
}

interface BracketNode {
  /** The first parameter with this node. */
  readonly parameter: string
  readonly values: FilterSyntax[]
  readonly children: Map<string, BracketNode>
}

function addParameter(root: BracketNode, [parameter, value]: QueryParameter, fields: FilterFields): void {
  let node = root
  for (const key of bracketKeys(parameter, fields)) {
    const next = node.children.get(key) ?? { parameter, values: [], children: new Map() }
    node.children.set(key, next)
    node = next
  }
  node.values.push(readValue(parameter, value))
}

function readValue(parameter: string, text: string): FilterSyntax {
  if (!text.startsWith("{") && !text.startsWith("[")) return { kind: "untyped", text, location: { parameter } }
  return readJson(text, parameter)
}

function objectOf({ parameter, children }: BracketNode): FilterObjectSyntax {
  return { kind: "object", entries: children.entries().flatMap(entriesOf).toArray(), location: { parameter } }
}

function entriesOf([key, node]: readonly [string, BracketNode]): readonly FilterEntrySyntax[] {
  const values = key === "$in" || key === "$nin" ? joinLists(node) : node.values
  const all = node.children.size > 0 ? [...values, objectOf(node)] : values
  return all.map((value) => ({ key, value, location: { parameter: node.parameter } }))
}

/** Joins the comma lists and JSON lists of one operator to one list. Other values stay as they are. */
function joinLists({ parameter, values }: BracketNode): readonly FilterSyntax[] {
  const lists = values.map((value) => (value.kind === "untyped" ? splitAtCommas(value.text, parameter) : value))
  if (lists.length < 2 || !lists.every((value) => value.kind === "list")) return lists
  return [{ kind: "list", items: lists.flatMap(({ items }) => items), location: { parameter } }]
}

function splitAtCommas(text: string, parameter: string): FilterSyntax {
  const items = text.split(",").map((text): FilterSyntax => ({ kind: "untyped", text, location: { parameter } }))
  return { kind: "list", items, location: { parameter } }
}

const COMPARISONS: ReadonlySet<string> = new Set(FILTER_OPERATORS)
const LOGIC: ReadonlySet<string> = new Set(["$and", "$or", "$not"])

/**
 * Splits a parameter into the keys that the JSON form would nest, each operator with its `$`: `filter[created_at][gte]` becomes
 * `created_at` and `$gte`. Below a free-form map, a word without `$` is an operator only at the end, and never directly below the map:
 * `filter[custom_fields][in]` is the field `in`.
 *
 * @throws `bad_filter` if the brackets don't pair, `invalid_request` for more keys than JSON_LIMITS.depth
 */
function bracketKeys(parameter: string, fields: FilterFields): readonly string[] {
  const keys = splitBrackets(parameter)
  const field = keys.findIndex((key) => withDollar(key) !== "$not" && key !== FILTER_WRAPPER)
  const operators = field < 0 ? 0 : firstOperator(keys, field, fields)
  return keys.map((key, index) => (index <= field || index >= operators ? withDollar(key) : key))
}

function splitBrackets(parameter: string): readonly string[] {
  const keys: string[] = []
  let at = parameter.indexOf("[")
  while (at < parameter.length) {
    const close = parameter.indexOf("]", at)
    if (parameter[at] !== "[" || close <= at + 1) {
      throw badFilter("each key needs its own brackets, as in filter[name][$like]", { parameter })
    }
    keys.push(parameter.slice(at + 1, close))
    // Each key is one level of the object.
    if (keys.length > JSON_LIMITS.depth) throw jsonExcess({ limit: "depth", position: at }, ["query", "filter"])
    at = close + 1
  }
  return keys
}

/** Returns the index of the first key that is not part of the field's name. */
function firstOperator(keys: readonly string[], field: number, fields: FilterFields): number {
  const names = splitFieldName(keys[field] ?? "") ?? []
  const [column, ...path] = names[0] === FILTER_WRAPPER ? names.slice(1) : names
  if (column === undefined || !isMapColumn(fields, column)) return field + 1
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
