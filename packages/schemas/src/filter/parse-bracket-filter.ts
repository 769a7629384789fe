import { bracketKeys } from "./bracket-keys.ts"
import type { FilterEntrySyntax, FilterObjectSyntax, FilterSyntax } from "./filter-syntax.ts"
import type { Filter } from "./filter.ts"
import { readFilter } from "./read-filter.ts"
import { readJson } from "./read-json.ts"

/** A parameter of the query string, decoded. */
export type QueryParameter = readonly [name: string, value: string]

/**
 * The bracket form: `filter[purpose]=dataset`, `filter[created_at][$gte]=2025-01-01`, `filter[custom_fields][team]=a`.
 * All parameters together write one object, as in the JSON form. A key given twice means both, and a list given twice
 * is one list.
 *
 * @throws `bad_filter`, `unknown_filter_field`, `invalid_request`
 */
export function parseBracketFilter(parameters: readonly QueryParameter[]): Filter {
  const root: BracketNode = { parameter: "filter", values: [], children: new Map() }
  for (const parameter of parameters) addParameter(root, parameter)
  return readFilter(objectOf(root), ["query", "filter"])
}

interface BracketNode {
  /** The first parameter that came by. */
  readonly parameter: string
  readonly values: FilterSyntax[]
  readonly children: Map<string, BracketNode>
}

function addParameter(root: BracketNode, [parameter, value]: QueryParameter): void {
  let node = root
  for (const key of bracketKeys(parameter)) {
    const next = node.children.get(key) ?? { parameter, values: [], children: new Map() }
    node.children.set(key, next)
    node = next
  }
  node.values.push(readValue(parameter, value))
}

function readValue(parameter: string, text: string): FilterSyntax {
  if (!text.startsWith("{") && !text.startsWith("[")) return { kind: "untyped", text, place: { parameter } }
  return readJson(text, parameter)
}

function objectOf({ parameter, children }: BracketNode): FilterObjectSyntax {
  return { kind: "object", entries: children.entries().flatMap(entriesOf).toArray(), place: { parameter } }
}

function entriesOf([key, node]: readonly [string, BracketNode]): readonly FilterEntrySyntax[] {
  const values = key === "$in" || key === "$nin" ? joinLists(node) : node.values
  const all = node.children.size > 0 ? [...values, objectOf(node)] : values
  return all.map((value) => ({ key, value, place: { parameter: node.parameter } }))
}

/** The comma lists and JSON lists of one operator as one list; what is neither stays as it is. */
function joinLists({ parameter, values }: BracketNode): readonly FilterSyntax[] {
  const lists = values.map((value) => (value.kind === "untyped" ? splitAtCommas(value.text, parameter) : value))
  if (lists.length < 2 || !lists.every((value) => value.kind === "list")) return lists
  return [{ kind: "list", items: lists.flatMap(({ items }) => items), place: { parameter } }]
}

function splitAtCommas(text: string, parameter: string): FilterSyntax {
  const items = text.split(",").map((text): FilterSyntax => ({ kind: "untyped", text, place: { parameter } }))
  return { kind: "list", items, place: { parameter } }
}
