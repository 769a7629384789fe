import { checkDatasetMetadata } from "@assay/contents"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { DatasetMetadata } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type { Context } from "../../context.ts"
import { localSchemas } from "../../local-schemas.ts"
import { printable } from "../../output/printable.ts"
import { readJsonFile } from "../read-json.ts"

/** Options that say what rows are held against. */
export interface MetadataOptions {
  readonly schema?: string
  readonly metadata?: string
}

/** What becomes of uploads is nothing to rows that are only read. */
const RowMetadata = Type.Omit(DatasetMetadata, ["enforce"], { additionalProperties: false })

/** A fault of a schema, not of the command. */
const FAULTS: ReadonlySet<string> = new Set(["invalid_request", "schema_too_costly"])

/**
 * What rows are held against: `--schema` for all of them, else `--metadata`, else what is `stored`. The schema reaches the
 * definitions of the metadata.
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
  if (typeof given === "string") throw unusable("--schema", schema, "it holds a string, and not a JSON Schema")
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
  if (!isObject(value)) return "it holds no JSON object"
  const { path = "", message = "is wrong" } = Value.Errors(RowMetadata, rows).First() ?? {}
  if (path === "/dataset") return "give what stands under its key 'dataset' alone"
  return `${path}: ${message}; the keys are schema, schema_defs and schemas_by_path`
}

function unusable(option: string, file: string, why: string): AssayError {
  return new AssayError("bad_usage", `${option} '${printable(file)}' can't be used: ${printable(why)}.`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
