import { createHash } from "node:crypto"
import type { DatasetMetadata } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { parseExactJson } from "@assay/json"
import { schemaWeight } from "./schema-weight.ts"

/** The row schemas of a dataset, which are within the size limits. */
export interface RowSchemas {
  /** Its numbers are JavaScript numbers if those represent them, and exact numbers otherwise. */
  readonly metadata: DatasetMetadata
  /** Equal for equal schemas. */
  readonly digest: string
  /** Number of characters of the schemas as JSON. */
  readonly characters: number
  /** Maximum number of checks that the schemas make for one value. Infinity if only compilation could show it. */
  readonly weight: number
}

/** Maximum number of characters of all schemas of a dataset together, as JSON. */
const MAX_SCHEMA_CHARACTERS = 1024 * 1024
const MAX_SCHEMA_DEFS = 1000
const MAX_SCHEMA_PATHS = 1000

/**
 * Returns the row schemas of dataset metadata.
 * @throws `schema_too_costly` if they exceed a size limit
 */
export function rowSchemasOf({ schema, schema_defs, schemas_by_path }: DatasetMetadata): RowSchemas {
  const metadata: DatasetMetadata = {
    ...(schema === undefined ? {} : { schema }),
    ...(schema_defs === undefined ? {} : { schema_defs }),
    ...(schemas_by_path === undefined ? {} : { schemas_by_path }),
  }
  checkCount("schema_defs", schema_defs, MAX_SCHEMA_DEFS)
  checkCount("schemas_by_path", schemas_by_path, MAX_SCHEMA_PATHS)
  const text = serializeMetadata(metadata)
  if (text.length > MAX_SCHEMA_CHARACTERS) {
    throw tooLarge(`have ${text.length} characters as JSON; ${MAX_SCHEMA_CHARACTERS} are allowed`)
  }
  return {
    // 1.50 is 1.5 in a schema: only numbers that no JavaScript number can represent keep their text.
    metadata: parseExactJson(text, "value").value as DatasetMetadata,
    digest: createHash("sha256").update(text).digest("base64"),
    characters: text.length,
    weight: schemaWeight(metadata),
  }
}

function checkCount(key: string, part: object = {}, max: number): void {
  const { length } = Object.keys(part)
  if (length > max) throw tooLarge(`have ${length} entries in ${key}; ${max} are allowed`)
}

function serializeMetadata(metadata: DatasetMetadata): string {
  try {
    return JSON.stringify(metadata)
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge("are nested too deeply")
    throw error
  }
}

function tooLarge(why: string): AssayError {
  return new AssayError("schema_too_costly", `The row schemas ${why}; make them smaller.`)
}
