import { AssayError } from "../errors/assay-error.ts"
import { excerpt } from "./excerpt.ts"
import { FILESET_FILTER_FIELDS } from "./fileset-filter-fields.ts"

/** The error for a field that records don't have, in the words that clients of the real platform know. */
export function unknownFilterField(
  name: string,
  fields: readonly string[] = Object.keys(FILESET_FILTER_FIELDS),
): AssayError {
  const valid = fields.map((field) => `'${field}'`)
  return new AssayError(
    "unknown_filter_field",
    `Unknown filter field '${excerpt(name)}'. Valid fields: [${valid.join(", ")}]`,
  )
}
