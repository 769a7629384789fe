import type { DatasetMetadata } from "@assay/schemas"
import { createSchemaChooser } from "../schemas/choose-schema.ts"
import type { RowFault } from "../schemas/row-checker.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import type { SchemaRunner } from "./schema-threads.ts"

export interface RowValuesCheck {
  readonly metadata: DatasetMetadata
  readonly schemas: SchemaRunner
  /** The file of the rows; it decides which schema is for them. */
  readonly path: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks rows, each given as JSON text, on another thread. Null stands for a valid row, and for one that no schema is for.
 * @throws `schema_too_costly`; `invalid_request` for schemas that can't be compiled; the reason of `signal`
 */
export async function checkRowValues(
  texts: readonly string[],
  { metadata, schemas, path, signal }: RowValuesCheck,
): Promise<readonly (readonly RowFault[] | null)[]> {
  if (texts.length === 0 || createSchemaChooser(metadata)(path) === undefined) return texts.map(() => null)
  return schemas.run(rowSchemasOf(metadata), { kind: "values", path, texts }, { signal })
}
