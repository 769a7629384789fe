import type { DatasetMetadata } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { createSchemaChooser, type ChosenSchema } from "./choose-schema.ts"
import type { JsonSchema } from "./json-schema.ts"
import { createRowChecker, type RowChecker } from "./row-checker.ts"

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
