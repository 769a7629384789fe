import type { FilterScalar } from "./filter.ts"

/** Where something stands in the query string, for messages. */
export interface FilterPlace {
  /** The parameter's name. */
  readonly parameter: string
  /** Offset into the parameter's value, from 0; absent where the name itself is meant, or the whole value. */
  readonly position?: number
}

/**
 * A filter as written in JSON or in brackets, before its fields, operators and values are understood. Objects are lists
 * of entries, because a key may come twice and then means both.
 */
export type FilterSyntax =
  | { readonly kind: "scalar"; readonly value: FilterScalar; readonly place: FilterPlace }
  | { readonly kind: "untyped"; readonly text: string; readonly place: FilterPlace }
  | { readonly kind: "list"; readonly items: readonly FilterSyntax[]; readonly place: FilterPlace }
  | FilterObjectSyntax

export interface FilterObjectSyntax {
  readonly kind: "object"
  readonly entries: readonly FilterEntrySyntax[]
  readonly place: FilterPlace
}

export interface FilterEntrySyntax {
  readonly key: string
  readonly value: FilterSyntax
  readonly place: FilterPlace
}

/** What was written, as a JSON value: the `input` of an error. */
export function plainValue(syntax: FilterSyntax): unknown {
  if (syntax.kind === "scalar") return syntax.value
  if (syntax.kind === "untyped") return syntax.text
  if (syntax.kind === "list") return syntax.items.map(plainValue)
  return Object.fromEntries(syntax.entries.map(({ key, value }) => [key, plainValue(value)]))
}
