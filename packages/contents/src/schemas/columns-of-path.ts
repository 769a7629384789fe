import type { DatasetMetadata } from "@assay/schemas"
import { createSchemaChooser } from "./choose-schema.ts"
import { anyColumns, columnTypesOf, type ColumnTypes } from "./column-types.ts"

/** What the schema for `path` makes of the fields of CSV. Nothing is compiled. */
export function columnsOfPath(metadata: DatasetMetadata | undefined, path: string): ColumnTypes {
  const chosen = metadata === undefined ? undefined : createSchemaChooser(metadata)(path)
  return chosen === undefined ? anyColumns : columnTypesOf(chosen.schema, metadata?.schema_defs ?? {})
}
