import { AssayError } from "../errors/assay-error.ts"
import type { FilterPlace } from "./filter-syntax.ts"

/** Creates a `bad_filter` that points at a place. `reason` says what is wrong there and what to write. */
export function badFilter(reason: string, { parameter, position }: FilterPlace): AssayError {
  const place = position === undefined ? `in ${excerpt(parameter)}` : `at position ${position} of ${excerpt(parameter)}`
  return new AssayError("bad_filter", `The filter can't be read ${place}: ${reason}.`, {
    context: { parameter, ...(position === undefined ? {} : { position }) },
  })
}

const MAX_LENGTH = 100

/** Shortens text of a request to at most 100 characters for a message. */
export function excerpt(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text
}
