import { setImmediate } from "node:timers/promises"
import type { FilePath, Storage } from "@assay/storage"
import { guessTypes, readField } from "../formats/csv/read-field.ts"
import { listRowFiles, openRows } from "../reading/open-rows.ts"
import { rowFormatOf } from "../rows/row-format.ts"
import type { TypeSet } from "../schemas/column-types.ts"
import { DIALECT_ADDRESSES } from "../schemas/compile/dialect.ts"
import type { JsonSchema } from "../schemas/json-schema.ts"
import { schemaOfShape, createShape, observe } from "./shape.ts"

/** Maximum number of CSV characters held in memory. Each field counts `FIELD_COST` in addition. */
const MAX_KEPT = 16 * 1024 * 1024
const FIELD_COST = 16
const FIELDS_OF_TURN = 20_000

export interface InferSchemaOptions {
  /** Maximum number of rows to read, over all files. Default 1000. */
  readonly rows?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Proposes a row schema (2020-12) from the first rows of a file, of the files below a folder, or of all files. Every
 * row that was read satisfies it in `validateRows`. Fields that all rows have are required. Strings with few, often
 * repeated values become an `enum`. Rows that can't be read are ignored.
 * @throws `not_found`; `not_a_row_file`; what the storage throws; the reason of `signal`
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
    const { encoding } = rowFormatOf(file.path) ?? {}
    const rows = firstRows(storage, file.path, wanted - shape.count, signal)
    const isText = encoding === "csv" || encoding === "tsv"
    for await (const row of isText ? typed(await kept(rows)) : rows) observe(shape, row)
  }
  return { $schema: DIALECT_ADDRESSES["2020-12"], ...schemaOfShape(shape) }
}

/** Reads the first readable rows one by one. */
async function* firstRows(
  storage: Storage,
  path: FilePath,
  wanted: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void, undefined> {
  let count = 0
  for await (const batch of openRows(storage, path, { signal })) {
    for (const { row, fault } of batch) {
      if (fault !== null) continue
      yield row
      count += 1
      if (count >= wanted) return
    }
  }
}

/** Collects rows so that column types can be guessed from all of them, up to `MAX_KEPT`. */
async function kept(rows: AsyncIterable<unknown>): Promise<readonly Record<string, string>[]> {
  const records: Record<string, string>[] = []
  let size = 0
  for await (const row of rows) {
    const record = row as Record<string, string>
    records.push(record)
    for (const name in record) size += FIELD_COST + (record[name]?.length ?? 0)
    if (size > MAX_KEPT) break
  }
  return records
}

/**
 * Converts CSV rows, whose fields are all text, to the types that their columns seem to have. It yields to other work
 * in between.
 */
async function* typed(records: readonly Readonly<Record<string, string>>[]): AsyncGenerator<unknown, void, undefined> {
  const columns = Object.keys(records[0] ?? {})
  const types: (readonly [name: string, types: TypeSet])[] = []
  for (const name of columns) {
    types.push([name, guessTypes(records.map((record) => record[name] ?? ""))])
    if (types.length % perTurn(records.length) === 0) await setImmediate()
  }
  for (const [index, record] of records.entries()) {
    yield Object.fromEntries(
      types
        .map(([name, set]) => [name, readField(record[name] ?? "", set, "value")] as const)
        .filter(([, value]) => value !== undefined),
    )
    if ((index + 1) % perTurn(columns.length) === 0) await setImmediate()
  }
}

/** Returns how many columns or rows of `length` fields are processed before other work may run. */
function perTurn(length: number): number {
  return Math.max(1, Math.floor(FIELDS_OF_TURN / Math.max(1, length)))
}
