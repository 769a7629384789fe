import { DatasetMetadata, printable } from "@assay/schemas"
import { isObject } from "@assay/json"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { checkDatasetMetadata } from "../checking/check-dataset-metadata.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"

/** A value that a user gives, such as the content of a file. */
export interface GivenValue {
  /** The name of the value in messages, such as `--schema 'reviews.json'`. */
  readonly name: string
  readonly value: unknown
}

export interface GivenSchemas {
  /** A JSON Schema for all rows. */
  readonly schema?: GivenValue | undefined
  /** An object like the metadata of a dataset. */
  readonly metadata?: GivenValue | undefined
  /** How CSV is written. It replaces the settings of the metadata one by one. */
  readonly csv?: GivenValue | undefined
  /** The metadata that is used if neither is given. Default: none. */
  readonly stored?: DatasetMetadata | undefined
}

export interface GivenSchemasOptions {
  readonly schemas: SchemaRunner
  readonly signal?: AbortSignal | undefined
}

const CsvSettings = DatasetMetadata.properties.csv
/** `enforce` decides about uploads, so it has no meaning for rows that are only read. */
const RowMetadata = Type.Omit(DatasetMetadata, ["enforce"], { additionalProperties: false })

/** Codes of faults in a schema. */
const FAULTS: ReadonlySet<string> = new Set(["invalid_request", "schema_too_costly"])

/**
 * Returns the schemas for rows: `schema` for all rows, or else `metadata`, or else the metadata that is `stored`. The schema can use
 * the definitions of the metadata. Settings in `csv` apply in each case.
 * @throws `bad_document` for a value that can't be used
 */
export async function chooseSchemas(
  { schema, metadata, csv, stored = {} }: GivenSchemas,
  options: GivenSchemasOptions,
): Promise<DatasetMetadata> {
  const rows = await chooseRows({ schema, metadata, stored }, options)
  if (csv === undefined) return rows
  if (!Value.Check(CsvSettings, csv.value)) {
    const { path = "", value } = Value.Errors(CsvSettings, csv.value).First() ?? {}
    const what =
      path === "/delimiter" ? "is not one ASCII character; write a tab as '\\t'" : "is not a value of this setting"
    throw unusable(csv, `${path.slice(1)} ${JSON.stringify(value)} ${what}`)
  }
  return usable(csv, { ...rows, csv: { ...rows.csv, ...csv.value } }, options)
}

async function chooseRows(
  { schema, metadata, stored = {} }: Omit<GivenSchemas, "csv">,
  options: GivenSchemasOptions,
): Promise<DatasetMetadata> {
  const base = metadata === undefined ? stored : await usable(metadata, metadata.value, options)
  if (schema === undefined) return base
  if (typeof schema.value === "string") throw unusable(schema, "it contains a string, not a JSON Schema")
  const { schema_defs, csv } = base
  const kept = { ...(schema_defs === undefined ? {} : { schema_defs }), ...(csv === undefined ? {} : { csv }) }
  return usable(schema, { schema: schema.value, ...kept }, options)
}

async function usable(
  given: GivenValue,
  value: unknown,
  { schemas, signal }: GivenSchemasOptions,
): Promise<DatasetMetadata> {
  const { enforce: _, ...rows }: Record<string, unknown> = isObject(value) ? value : {}
  if (!isObject(value) || !Value.Check(RowMetadata, rows)) throw unusable(given, shapeFault(value, rows))
  try {
    await checkDatasetMetadata(rows, { schemas, loc: [], signal })
    return rows
  } catch (error) {
    if (!isAssayError(error) || !FAULTS.has(error.code)) throw error
    throw unusable(given, error.message)
  }
}

function shapeFault(value: unknown, rows: object): string {
  if (!isObject(value)) return "it does not contain a JSON object"
  const { path = "", message = "is wrong" } = Value.Errors(RowMetadata, rows).First() ?? {}
  if (path === "/dataset") return "give only the value of its key 'dataset'"
  return `${path}: ${message}; the keys are schema, schema_defs, schemas_by_path and csv`
}

function unusable({ name }: GivenValue, why: string): AssayError {
  const context = { remedy: `Correct the value of ${name}.` }
  return new AssayError("bad_document", `${name} can't be used: ${printable(why)}.`, { context })
}
