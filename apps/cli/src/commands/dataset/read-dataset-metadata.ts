import { checkDatasetMetadata } from "@assay/contents"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { DatasetMetadata } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type { Context } from "../../context.ts"
import { localSchemas } from "../../local-schemas.ts"
import { printable } from "@assay/schemas/printable"
import { readJsonFile } from "../read-json.ts"

/** Options with schemas for rows. */
export interface MetadataOptions {
  readonly schema?: string
  readonly metadata?: string
}

/** `enforce` decides about uploads, so it has no meaning for rows that are only read. */
const RowMetadata = Type.Omit(DatasetMetadata, ["enforce"], { additionalProperties: false })

/** Codes of faults in a schema. */
const FAULTS: ReadonlySet<string> = new Set(["invalid_request", "schema_too_costly"])

/**
 * Returns the schemas for rows: `--schema` for all rows, or else `--metadata`, or else the metadata that is `stored`. A schema of
 * `--schema` can use the definitions of the metadata.
 * @throws `bad_usage` for a file that can't be read or used
 */
export async function readDatasetMetadata(
  context: Context,
  { schema, metadata }: MetadataOptions,
  stored: DatasetMetadata = {},
): Promise<DatasetMetadata> {
  const base =
    metadata === undefined
      ? stored
      : await usable(
          context,
          { option: "--metadata", file: metadata },
          await readJsonFile(context, "--metadata", metadata),
        )
  if (schema === undefined) return base
  const given = await readJsonFile(context, "--schema", schema)
  const { schema_defs: definitions } = base
  const all = { schema: given, ...(definitions === undefined ? {} : { schema_defs: definitions }) }
  if (typeof given === "string") throw unusable("--schema", schema, "it contains a string, not a JSON Schema")
  return usable(context, { option: "--schema", file: schema }, all)
}

interface MetadataFile {
  readonly option: string
  readonly file: string
}

async function usable(context: Context, { option, file }: MetadataFile, value: unknown): Promise<DatasetMetadata> {
  const { enforce: _, ...rows }: Record<string, unknown> = isObject(value) ? value : {}
  if (!isObject(value) || !Value.Check(RowMetadata, rows)) throw unusable(option, file, shapeFault(value, rows))
  try {
    await checkDatasetMetadata(rows, { schemas: localSchemas(context), loc: [], signal: context.signal })
    return rows
  } catch (error) {
    if (!isAssayError(error) || !FAULTS.has(error.code)) throw error
    throw unusable(option, file, error.message)
  }
}

function shapeFault(value: unknown, rows: object): string {
  if (!isObject(value)) return "it does not contain a JSON object"
  const { path = "", message = "is wrong" } = Value.Errors(RowMetadata, rows).First() ?? {}
  if (path === "/dataset") return "give only the value of its key 'dataset'"
  return `${path}: ${message}; the keys are schema, schema_defs and schemas_by_path`
}

function unusable(option: string, file: string, why: string): AssayError {
  return new AssayError("bad_usage", `${option} '${printable(file)}' can't be used: ${printable(why)}.`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
