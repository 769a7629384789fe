import type { DatasetMetadata } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { createSchemaChooser, type ChosenSchema } from "./choose-schema.ts"
import { columnTypesOf, type ColumnTypes } from "./column-types.ts"
import { compileRowSchema } from "./compile/compile-row-schema.ts"
import { issueMessage, type CompiledSchema, type SchemaError } from "./compile/compiled-schema.ts"
import type { JsonSchema } from "./json-schema.ts"
import { countValues } from "./schema-weight.ts"

/** One thing that is wrong with a row. */
export interface RowFault {
  readonly pointer: string
  readonly message: string
}

/** Holds rows against one schema. */
export interface RowChecker {
  /** The schema's name in `schema_defs`, or where in the dataset metadata it is inline, as a JSON pointer. */
  readonly label: string
  /** What it makes of the fields of CSV. */
  readonly columns: ColumnTypes
  /** `hasExact`: whether the row holds an `ExactNumber`. Default false. */
  readonly isValid: (row: unknown, hasExact?: boolean) => boolean
  /** What is wrong with a row that is not valid. Of a very large one the first thing only. */
  readonly listFaults: (row: unknown, hasExact?: boolean) => readonly RowFault[]
}

/** Values in a row up to which everything is told that is wrong with it: each of them could be. */
const VALUES_TOLD = 10_000

/**
 * A checker for a schema that `checkDatasetMetadata` has let through.
 * @throws `Error` as `compileRowSchema` does
 */
export function createRowChecker(
  label: string,
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): RowChecker {
  const compiled = compileRowSchema(schema, definitions, { allErrors: false, syntax: null })
  let thorough: CompiledSchema | undefined
  let exact: CompiledSchema | undefined

  /** The code that Ajv makes compares JavaScript's numbers alone. */
  function exactly(): CompiledSchema {
    return (exact ??= compileRowSchema(schema, definitions, { allErrors: true, syntax: null, isComplete: true }))
  }

  function listFaults(row: unknown, hasExact: boolean): readonly RowFault[] {
    if (hasExact) return exactly().errorsOf(row).map(faultOf)
    thorough ??= compileRowSchema(schema, definitions, { allErrors: true, syntax: null })
    const errors =
      countValues(row, VALUES_TOLD) < VALUES_TOLD ? thorough.errorsOf(row) : compiled.errorsOf(row).slice(0, 1)
    return errors.map(faultOf)
  }

  return {
    label,
    columns: columnTypesOf(schema, definitions),
    isValid: (row, hasExact = false) => orTooDeep(() => (hasExact ? exactly() : compiled).isValid(row), false),
    listFaults: (row, hasExact = false) =>
      orTooDeep(
        () => listFaults(row, hasExact),
        [{ pointer: "", message: "is nested too deep to be held against its schema" }],
      ),
  }
}

function faultOf(error: SchemaError): RowFault {
  return { pointer: error.instancePath, message: issueMessage(error) }
}

/** A schema that refers to itself goes as deep as the row does, which can be deeper than the stack. */
function orTooDeep<T>(check: () => T, answer: T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof RangeError) return answer
    throw error
  }
}

/** The checkers of one dataset. Each schema is compiled when a path first needs it. */
export interface RowCheckers {
  /** Undefined where no schema is for `path`. */
  readonly forPath: (path: string) => RowChecker | undefined
}

/**
 * Checkers for metadata that `checkDatasetMetadata` has let through.
 * @throws from `forPath`: `invalid_request` where it has not, and a schema can't be compiled; `schema_too_costly`
 */
export function createRowCheckers(metadata: DatasetMetadata = {}): RowCheckers {
  const choose = createSchemaChooser(metadata)
  const made = new Map<JsonSchema, RowChecker>()

  function make({ label, schema }: ChosenSchema): RowChecker {
    try {
      return createRowChecker(label, schema, metadata.schema_defs ?? {})
    } catch (error) {
      if (isAssayError(error)) throw error
      const reason = error instanceof Error ? error.message : "can't be compiled"
      throw new AssayError("invalid_request", `Row schema '${label}' ${reason}; correct the dataset metadata.`, {
        cause: error,
      })
    }
  }

  return {
    forPath(path) {
      const chosen = choose(path)
      if (chosen === undefined) return undefined
      const checker = made.get(chosen.schema) ?? make(chosen)
      made.set(chosen.schema, checker)
      return checker
    },
  }
}
