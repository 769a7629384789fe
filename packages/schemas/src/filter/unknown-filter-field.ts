import { AssayError } from "../assay-error.ts"
import { excerpt } from "./excerpt.ts"
import { FILESET_FILTER_FIELDS } from "./fileset-filter-fields.ts"

/** The error for a field that filesets don't have, in the words that clients of the real platform know. */
export function unknownFilterField(name: string): AssayError {
  const valid = Object.keys(FILESET_FILTER_FIELDS).map((field) => `'${field}'`)
  return new AssayError(
    "unknown_filter_field",
    `Unknown filter field '${excerpt(name)}'. Valid fields: [${valid.join(", ")}]`,
  )
}
