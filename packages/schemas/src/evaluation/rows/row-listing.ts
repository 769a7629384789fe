import { readNumber } from "@assay/json"
import { badFilter } from "../../filter/filter-syntax.ts"
import { unknownFilterField } from "../../filter/filter-fields.ts"
import { invalidRequest } from "../../errors/assay-error.ts"

/** The order of the rows of a job. Rows without the value come last, and equal rows in the order of the dataset. */
export type RowSort =
  | { readonly by: "index"; readonly isDescending: boolean }
  | { readonly by: "latency" | "task" | RowCodeField; readonly isDescending: boolean }
  | { readonly by: "score" | "changed"; readonly metric: string; readonly isDescending: boolean }
  /** By a field of the item: numbers first, then the first 64 characters of texts. Lists and objects have no order. */
  | { readonly by: "item"; readonly field: string; readonly isDescending: boolean }
  /** By the output, as by a field of the item. */
  | { readonly by: "output"; readonly isDescending: boolean }

export const ROW_CODE_FIELDS = ["condition", "verdict", "error"] as const
export type RowCodeField = (typeof ROW_CODE_FIELDS)[number]

/** The sign of a comparison of numbers. */
export type RowOperator = "$eq" | "$lt" | "$lte" | "$gt" | "$gte"

/** A condition on what the index knows of a row. */
export type ColumnRowFilter =
  /** The code is one of `values`, or none of them. "" is a row without a code. */
  | { readonly field: RowCodeField; readonly isIn: boolean; readonly values: readonly string[] }
  | { readonly field: "latency"; readonly operator: RowOperator; readonly value: number }
  | { readonly field: "score"; readonly metric: string; readonly operator: RowOperator; readonly value: number }

/** Where a text is searched: in the row's item and output, in its output, or in one field of its item. */
export type TextLocation = "row" | "output" | `item:${string}`

/**
 * A condition on a field of a row's item. `$eq` holds for an equal text, number or boolean, and the value `null` for null. The other
 * comparisons hold for numbers.
 */
export interface ItemRowFilter {
  readonly field: "item"
  readonly name: string
  readonly operator: RowOperator
  readonly value: string
}

/** A condition on rows. */
export type RowFilter =
  | ColumnRowFilter
  | ItemRowFilter
  /** At least one of these holds. */
  | { readonly field: "any"; readonly filters: readonly ColumnRowFilter[] }
  /** The row contains the text there. The case of letters is ignored. */
  | { readonly field: "text"; readonly within: TextLocation; readonly part: string }

const SORT = /^(-?)(?:(index|output|latency|task|condition|verdict|error)|(score|changed|item):(.+))$/su
const PARAMETER = /^filter\[([^[\]]+)\](?:\[(\$\w+)\])?$/u
const NUMBER_OPERATORS: readonly string[] = ["$eq", "$lt", "$lte", "$gt", "$gte"] satisfies RowOperator[]
const FIELDS = [...ROW_CODE_FIELDS, "latency", "score:<metric>", "text", "output", "item:<field>"]
/** Before the fields of filters of which one has to hold. */
const ANY = "any:"
const ITEM = "item:"
/** The word for a row without a condition, a verdict or an error. */
const NONE = "null"
const MAX_FILTERS = 20
const MAX_TEXT = 1000

/** Parses `index`, `task`, `output`, `latency`, `condition`, `verdict`, `error`, `score:<metric>`, `changed:<metric>` or `item:<field>`, with `-` for the other direction. @throws `invalid_request` */
export function parseRowSort(text: string): RowSort {
  const [, sign, plain, by, name] = SORT.exec(text) ?? []
  const isDescending = sign === "-"
  if (plain === "index" || plain === "output") return { by: plain, isDescending }
  if (plain !== undefined) return { by: plain as "latency" | "task" | RowCodeField, isDescending }
  if (name !== undefined && by === "item") return { by, field: name, isDescending }
  if (name !== undefined) return { by: by as "score" | "changed", metric: name, isDescending }
  const msg =
    "Sort by index, task, output, latency, condition, verdict, error, score:<metric>, changed:<metric> or item:<field>, with a leading `-` for descending"
  throw invalidRequest(["query", "sort"], msg, "value_error", text)
}

/**
 * Parses the filters among decoded query parameters: `filter[condition]=code`, `filter[error][$nin]=null`,
 * `filter[score:accuracy][$lt]=0.5`, `filter[text][$like]=refund`, `filter[item:topic][$like]=science`,
 * `filter[item:age][$gte]=18`. All of them must hold. Of those whose field begins with `any:`, one must hold. Other parameters are ignored.
 * @throws `bad_filter`, `unknown_filter_field`
 */
export function parseRowFilters(parameters: readonly (readonly [string, string])[]): readonly RowFilter[] {
  const given = parameters.filter(([parameter]) => /^filter\b/u.test(parameter))
  if (given.length > MAX_FILTERS)
    throw badFilter(`there are ${given.length} filters; at most ${MAX_FILTERS} are read`, { parameter: "filter" })
  const filters: RowFilter[] = []
  const any: ColumnRowFilter[] = []
  for (const [parameter, value] of given) {
    const [, field, operator] = PARAMETER.exec(parameter) ?? []
    if (field === undefined) throw badFilter("each field needs its own brackets, as in filter[error]", { parameter })
    const isOneOf = field.startsWith(ANY)
    const filter = readFilter(isOneOf ? field.slice(ANY.length) : field, operator, value, parameter)
    if (!isOneOf) filters.push(filter)
    else if (filter.field === "text" || filter.field === "item") {
      const what = filter.field === "text" ? "a text" : "a field of items"
      throw badFilter(`${what} can't be one of several conditions`, { parameter })
    } else any.push(filter)
  }
  return any.length === 0 ? filters : [...filters, { field: "any", filters: any }]
}

type ReadFilter = Exclude<RowFilter, { field: "any" }>

function readFilter(field: string, operator: string | undefined, value: string, parameter: string): ReadFilter {
  if ((ROW_CODE_FIELDS as readonly string[]).includes(field)) {
    const named = operator ?? "$eq"
    if (!["$eq", "$in", "$nin"].includes(named))
      throw badFilter(`${field} is compared with $eq, $in or $nin`, { parameter })
    const values = named === "$eq" ? [value] : value.split(",")
    const texts = values.map((text) => (text.trim() === NONE ? "" : text.trim()))
    return { field: field as RowCodeField, isIn: named !== "$nin", values: texts }
  }
  const within = locationOf(field)
  if (within !== undefined) {
    if (value === "" || value.length > MAX_TEXT) {
      throw badFilter(`the text to search has ${value.length} characters; give 1 to ${MAX_TEXT}`, { parameter })
    }
    if (operator === undefined || operator === "$like") return { field: "text", within, part: value }
    if (!within.startsWith(ITEM)) throw badFilter("text is searched with $like", { parameter })
    return itemFilter(within.slice(ITEM.length), operator, value, parameter)
  }
  const metric = field.startsWith("score:") ? field.slice("score:".length) : undefined
  if (metric === undefined && field !== "latency") throw unknownFilterField(field, FIELDS)
  return numberFilter(metric, operator ?? "$eq", value, parameter)
}

function locationOf(field: string): TextLocation | undefined {
  if (field === "text") return "row"
  if (field === "output") return "output"
  return field.startsWith(ITEM) && field.length > ITEM.length ? (field as TextLocation) : undefined
}

function itemFilter(name: string, operator: string, value: string, parameter: string): ItemRowFilter {
  if (!NUMBER_OPERATORS.includes(operator)) {
    throw badFilter(`fields of items are compared with $like, ${NUMBER_OPERATORS.join(", ")}`, { parameter })
  }
  if (operator !== "$eq" && readNumber(value.trim()) === undefined) {
    throw badFilter(`'${value}' is not a number`, { parameter })
  }
  return { field: "item", name, operator: operator as RowOperator, value }
}

function numberFilter(metric: string | undefined, operator: string, text: string, parameter: string): ReadFilter {
  if (!NUMBER_OPERATORS.includes(operator)) {
    throw badFilter(`numbers are compared with ${NUMBER_OPERATORS.join(", ")}`, { parameter })
  }
  const value = readNumber(text.trim())
  if (value === undefined) throw badFilter(`'${text}' is not a number`, { parameter })
  const compared = { operator: operator as RowOperator, value }
  return metric === undefined ? { field: "latency", ...compared } : { field: "score", metric, ...compared }
}
