import { readNumber } from "@assay/json"
import { badFilter } from "../filter/filter-syntax.ts"
import { unknownFilterField } from "../filter/filter-fields.ts"
import { invalidRequest } from "../errors/assay-error.ts"

/** The order of the rows of a job. Rows without the value come last, and equal rows in the order of the dataset. */
export type RowSort =
  | { readonly by: "index" | "latency"; readonly isDescending: boolean }
  | { readonly by: "score" | "changed"; readonly metric: string; readonly isDescending: boolean }

export const ROW_CODE_FIELDS = ["condition", "verdict", "error"] as const
export type RowCodeField = (typeof ROW_CODE_FIELDS)[number]

/** The sign of a comparison of numbers. */
export type RowOperator = "$eq" | "$lt" | "$lte" | "$gt" | "$gte"

/** A condition on rows. */
export type RowFilter =
  /** The code is one of `values`, or none of them. "" is a row without a code. */
  | { readonly field: RowCodeField; readonly isIn: boolean; readonly values: readonly string[] }
  | { readonly field: "latency"; readonly operator: RowOperator; readonly value: number }
  | { readonly field: "score"; readonly metric: string; readonly operator: RowOperator; readonly value: number }
  /** The row's item or output contains the text. The case of letters is ignored. */
  | { readonly field: "text"; readonly part: string }

const SORT = /^(-?)(?:(index|latency)|(score|changed):(.+))$/su
const PARAMETER = /^filter\[([^[\]]+)\](?:\[(\$\w+)\])?$/u
const NUMBER_OPERATORS: readonly string[] = ["$eq", "$lt", "$lte", "$gt", "$gte"] satisfies RowOperator[]
const FIELDS = [...ROW_CODE_FIELDS, "latency", "score:<metric>", "text"]
/** The word for a row without a condition, a verdict or an error. */
const NONE = "null"
const MAX_FILTERS = 20
const MAX_TEXT = 1000

/** Parses `index`, `latency`, `score:<metric>` or `changed:<metric>`, with `-` for the other direction. @throws `invalid_request` */
export function parseRowSort(text: string): RowSort {
  const [, sign, plain, by, metric] = SORT.exec(text) ?? []
  const isDescending = sign === "-"
  if (plain !== undefined) return { by: plain as "index" | "latency", isDescending }
  if (metric !== undefined) return { by: by as "score" | "changed", metric, isDescending }
  const msg = "Sort by index, latency, score:<metric> or changed:<metric>, with a leading `-` for descending"
  throw invalidRequest(["query", "sort"], msg, "value_error", text)
}

/**
 * Parses the filters among decoded query parameters: `filter[condition]=code`, `filter[error][$nin]=null`,
 * `filter[score:accuracy][$lt]=0.5`, `filter[text][$like]=refund`. All of them must hold. Other parameters are ignored.
 * @throws `bad_filter`, `unknown_filter_field`
 */
export function parseRowFilters(parameters: readonly (readonly [string, string])[]): readonly RowFilter[] {
  const given = parameters.filter(([parameter]) => /^filter\b/u.test(parameter))
  if (given.length > MAX_FILTERS)
    throw badFilter(`there are ${given.length} filters; at most ${MAX_FILTERS} are read`, { parameter: "filter" })
  return given.map(([parameter, value]) => {
    const [, field, operator] = PARAMETER.exec(parameter) ?? []
    if (field === undefined) throw badFilter("each field needs its own brackets, as in filter[error]", { parameter })
    return readFilter(field, operator, value, parameter)
  })
}

function readFilter(field: string, operator: string | undefined, value: string, parameter: string): RowFilter {
  if ((ROW_CODE_FIELDS as readonly string[]).includes(field)) {
    const named = operator ?? "$eq"
    if (!["$eq", "$in", "$nin"].includes(named))
      throw badFilter(`${field} is compared with $eq, $in or $nin`, { parameter })
    const values = named === "$eq" ? [value] : value.split(",")
    const texts = values.map((text) => (text.trim() === NONE ? "" : text.trim()))
    return { field: field as RowCodeField, isIn: named !== "$nin", values: texts }
  }
  if (field === "text") {
    if (operator !== undefined && operator !== "$like") throw badFilter("text is searched with $like", { parameter })
    if (value === "" || value.length > MAX_TEXT) {
      throw badFilter(`the text to search has ${value.length} characters; give 1 to ${MAX_TEXT}`, { parameter })
    }
    return { field, part: value }
  }
  const metric = field.startsWith("score:") ? field.slice("score:".length) : undefined
  if (metric === undefined && field !== "latency") throw unknownFilterField(field, FIELDS)
  return numberFilter(metric, operator ?? "$eq", value, parameter)
}

function numberFilter(metric: string | undefined, operator: string, text: string, parameter: string): RowFilter {
  if (!NUMBER_OPERATORS.includes(operator)) {
    throw badFilter(`numbers are compared with ${NUMBER_OPERATORS.join(", ")}`, { parameter })
  }
  const value = readNumber(text.trim())
  if (value === undefined) throw badFilter(`'${text}' is not a number`, { parameter })
  const compared = { operator: operator as RowOperator, value }
  return metric === undefined ? { field: "latency", ...compared } : { field: "score", metric, ...compared }
}
