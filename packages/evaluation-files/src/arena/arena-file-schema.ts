import { withoutIds } from "@assay/validation"
import { ArenaFile } from "./arena-file.ts"

/** Returns the JSON Schema (draft 7) of an arena file, for editors and other validators. */
export function arenaFileSchema(): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Arena file of Assay",
    ...(withoutIds(ArenaFile) as object),
  }
}
