import type { Query } from "../exchange/route.ts"

/**
 * Conditions on rows by field and operator, such as `{error: {$eq: "rate_limited"}, "score:accuracy": {$lt: "0.5"}}`.
 *
 * Fields of rows of a job are `condition`, `verdict` and `error` with `$eq`, `$in`, `$nin`; `latency` and `score:<metric>` with `$eq`, `$lt`,
 * `$lte`, `$gt`, `$gte`; and `text`, `output` and `item:<field>` with `$like`. Of fields after `any:`, one must match. Fields of rows of a file are its columns, or JSON pointers that begin with `/`, with all of
 * these operators. Values of `$in` and `$nin` are separated by commas.
 */
export type RowFilters = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Writes the filters of a query for rows with brackets, beside the other parameters. */
export function rowQuery({ filter, ...query }: { readonly filter?: RowFilters } & object): Query {
  return { ...(query as Query), ...Object.fromEntries(filterParameters(filter ?? {})) }
}

/** Returns the query parameters of filters, such as `filter[error][$eq]`, with their values. */
export function filterParameters(filter: RowFilters): readonly (readonly [string, string])[] {
  return Object.entries(filter).flatMap(([field, conditions]) =>
    Object.entries(conditions).map(([operator, value]) => [`filter[${field}][${operator}]`, value] as const),
  )
}

/** One condition on rows. */
export interface RowFilterTerm {
  readonly field: string
  readonly operator: string
  readonly value: string
}

const TERM = /^(?:("(?:[^"\\]|\\.)*")|([^<>=!~"][^<>=!~]*))\s*(<=|>=|!=|<|>|=|~)(.*)$/su
const OPERATORS: Readonly<Record<string, string>> = {
  "<": "$lt",
  "<=": "$lte",
  ">": "$gt",
  ">=": "$gte",
  "=": "$eq",
  "!=": "$nin",
  "~": "$like",
}

/**
 * Parses a condition as users type it: `score:accuracy<0.5`, `error=rate_limited,bad_response`, `condition!=null`, `text~refund`. A field with
 * signs in its name is in double quotes, as in JSON. Returns undefined for any other text.
 */
export function parseRowFilterTerm(text: string): RowFilterTerm | undefined {
  const [, quoted, plain, sign = "", value = ""] = TERM.exec(text.trim()) ?? []
  const field = quoted === undefined ? plain?.trim() : unquoted(quoted)
  const operator = OPERATORS[sign]
  return field === undefined || field === "" || operator === undefined
    ? undefined
    : { field, operator, value: value.trim() }
}

/** Formats a condition as `parseRowFilterTerm` reads it. */
export function formatRowFilterTerm({ field, operator, value }: RowFilterTerm): string {
  const [sign = "="] = Object.entries(OPERATORS).find(([, one]) => one === operator) ?? []
  const isPlain = /^[^<>=!~"\s][^<>=!~]*$/u.test(field) && field.trim() === field
  return `${isPlain ? field : JSON.stringify(field)}${sign}${value}`
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}
