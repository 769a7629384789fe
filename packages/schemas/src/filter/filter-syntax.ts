import { AssayError } from "../errors/assay-error.ts"
import type { FilterScalar } from "./filter.ts"

/** A location in the query string, for messages. */
export interface FilterLocation {
  /** The name of the parameter. */
  readonly parameter: string
  /** Offset into the value of the parameter, from 0. Absent: the name or the whole value is meant. */
  readonly position?: number
}

/**
 * A filter as written in JSON or in brackets, before its fields, operators and values are interpreted. Objects are lists of entries,
 * because a key may be given twice, and then both conditions hold.
 */
export type FilterSyntax =
  | { readonly kind: "scalar"; readonly value: FilterScalar; readonly location: FilterLocation }
  | { readonly kind: "untyped"; readonly text: string; readonly location: FilterLocation }
  | { readonly kind: "list"; readonly items: readonly FilterSyntax[]; readonly location: FilterLocation }
  | FilterObjectSyntax

export interface FilterObjectSyntax {
  readonly kind: "object"
  readonly entries: readonly FilterEntrySyntax[]
  readonly location: FilterLocation
}

export interface FilterEntrySyntax {
  readonly key: string
  readonly value: FilterSyntax
  readonly location: FilterLocation
}

/** Returns the syntax as a plain JSON value, for the `input` of an error. */
export function plainValue(syntax: FilterSyntax): unknown {
  if (syntax.kind === "scalar") return syntax.value
  if (syntax.kind === "untyped") return syntax.text
  if (syntax.kind === "list") return syntax.items.map(plainValue)
  return Object.fromEntries(syntax.entries.map(({ key, value }) => [key, plainValue(value)]))
}

/** Creates a `bad_filter` that points at a location. `reason` says what is wrong there and what to write. */
export function badFilter(reason: string, { parameter, position }: FilterLocation): AssayError {
  const location =
    position === undefined ? `in ${excerpt(parameter)}` : `at position ${position} of ${excerpt(parameter)}`
  return new AssayError("bad_filter", `The filter can't be read ${location}: ${reason}.`, {
    context: { parameter, ...(position === undefined ? {} : { position }) },
  })
}

const MAX_LENGTH = 100

/** Shortens text of a request to at most 100 characters for a message. */
export function excerpt(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text
}
