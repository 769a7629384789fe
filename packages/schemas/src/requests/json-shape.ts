import { AssayError } from "../errors/assay-error.ts"
import { findJsonExcess, JSON_LIMITS, type JsonExcess } from "@assay/json"

/**
 * Checks that JSON text is within JSON_LIMITS before it is parsed.
 * @param loc the location of the text in the request, as in a ValidationIssue
 * @throws `invalid_request`
 */
export function checkJsonShape(text: string, loc: readonly (string | number)[]): void {
  const excess = findJsonExcess(text)
  if (excess !== undefined) throw jsonExcess(excess, loc)
}

/** The words of a message for each limit: what is wrong, and what to do. */
const EXCESS: Readonly<Record<keyof typeof JSON_LIMITS, (max: number) => readonly [what: string, remedy: string]>> = {
  depth: (max) => [`is nested deeper than ${max} levels`, "send it flatter"],
  parts: (max) => [`has more than ${max} objects, lists and keys`, "send it in several requests"],
  values: (max) => [`has more than ${max} elements and properties`, "send it in several requests"],
  keys: (max) => [`has an object of more than ${max} keys`, "send a list, or several objects"],
}

/** Creates the error for text that exceeds one of JSON_LIMITS. */
export function jsonExcess({ limit, position }: JsonExcess, loc: readonly (string | number)[]): AssayError {
  const max = JSON_LIMITS[limit]
  const [what, remedy] = EXCESS[limit](max)
  const msg = `The JSON ${what} at position ${position}; ${remedy}`
  const type = limit === "depth" ? "json_too_deep" : "json_too_many_parts"
  return new AssayError("invalid_request", `${loc.join(".")}: ${msg}`, {
    issues: [{ loc: [...loc], msg, type, ctx: { limit: max, position } }],
  })
}
