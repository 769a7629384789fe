import type { FilePath, Storage } from "@assay/storage"
import { guessTypes } from "../csv/guess-types.ts"
import { readField } from "../csv/read-field.ts"
import { rowFormatOf } from "../rows/row-format.ts"
import { openRows } from "../rows/open-rows.ts"
import { DIALECT_ADDRESSES } from "../schemas/dialect.ts"
import type { JsonSchema } from "../schemas/json-schema.ts"
import { listRowFiles } from "../files/list-row-files.ts"
import { schemaOfShape } from "./schema-of-shape.ts"
import { createShape, observe } from "./shape.ts"

export interface InferSchemaOptions {
  /** Rows that are read, of all files together. Default 1000. */
  readonly rows?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Proposes a row schema (2020-12) from the first rows of a file, of the files below a folder, or of all. Every row that
 * was read satisfies it, as `validateRows` reads it; fields that all of them have are required, and strings of which a few
 * occur again and again are an `enum`. Rows that can't be read are left out.
 * @throws `not_found`, `not_a_row_file`, what the storage throws, or the reason of `signal`
 */
export async function inferSchema(
  storage: Storage,
  path?: string,
  options: InferSchemaOptions = {},
): Promise<JsonSchema> {
  const { rows: wanted = 1000, signal } = options
  const shape = createShape()
  for (const file of await listRowFiles(storage, path, signal)) {
    if (shape.count >= wanted) break
    const values = await firstRows(storage, file.path, wanted - shape.count, signal)
    const { encoding } = rowFormatOf(file.path) ?? {}
    for (const value of encoding === "csv" || encoding === "tsv" ? typed(values) : values) observe(shape, value)
  }
  return { $schema: DIALECT_ADDRESSES["2020-12"], ...schemaOfShape(shape) }
}

async function firstRows(
  storage: Storage,
  path: FilePath,
  wanted: number,
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  const values: unknown[] = []
  for await (const batch of openRows(storage, path, { signal })) {
    for (const { row, fault } of batch) if (fault === null && values.length < wanted) values.push(row)
    if (values.length >= wanted) break
  }
  return values
}

/** Rows of CSV, whose fields are all text, with the types that their columns seem to have. */
function typed(rows: readonly unknown[]): readonly unknown[] {
  const records = rows as readonly Readonly<Record<string, string>>[]
  const columns = Object.keys(records[0] ?? {})
  const types = columns.map((name) => [name, guessTypes(records.map((record) => record[name] ?? ""))] as const)
  return records.map((record) =>
    Object.fromEntries(
      types
        .map(([name, set]) => [name, readField(record[name] ?? "", set, "value")] as const)
        .filter(([, value]) => value !== undefined),
    ),
  )
}
