import type { DatasetMetadata } from "@assay/schemas"
import { createSchemaChooser } from "../schemas/choose-schema.ts"
import type { JsonSchema } from "../schemas/json-schema.ts"
import type { RowFault } from "../schemas/row-checker.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import type { SchemaRunner } from "./schema-pool.ts"

export interface RowValuesCheck {
  readonly metadata: DatasetMetadata
  readonly schemas: SchemaRunner
  /** Path of the file that holds the rows. It decides which schema applies. */
  readonly path: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks rows, each given as JSON text, on another thread. The result is null for a valid row, and for every row if no
 * schema applies.
 * @throws `schema_too_costly`; `invalid_request` for schemas that can't be compiled; the reason of `signal`
 */
export async function checkRowValues(
  texts: readonly string[],
  { metadata, schemas, path, signal }: RowValuesCheck,
): Promise<readonly (readonly RowFault[] | null)[]> {
  if (texts.length === 0 || createSchemaChooser(metadata)(path) === undefined) return texts.map(() => null)
  return schemas.run(rowSchemasOf(metadata), { kind: "values", path, texts }, { signal })
}

/** Checks values against one schema. */
export interface ValueChecker {
  /**
   * Returns the faults of the value that `text` encodes as JSON, or null if it is valid.
   * @throws `schema_too_costly`
   */
  readonly check: (text: string) => Promise<readonly RowFault[] | null>
}

interface Waiting {
  readonly text: string
  readonly resolve: (faults: readonly RowFault[] | null) => void
  readonly reject: (error: unknown) => void
}

const MAX_BATCH = 1000
const MAX_BATCH_CHARACTERS = 1024 * 1024

/**
 * Creates a checker that accepts values one by one. Values that arrive while the other thread is busy are sent to it
 * together.
 * @throws `schema_too_costly` for a schema that is too large
 */
export function createValueChecker(schema: JsonSchema, runner: SchemaRunner): ValueChecker {
  const schemas = rowSchemasOf({ schema })
  let waiting: Waiting[] = []
  let isRunning = false

  function takeBatch(): readonly Waiting[] {
    let characters = 0
    let count = 0
    for (const { text } of waiting) {
      characters += text.length
      if (count > 0 && (count === MAX_BATCH || characters > MAX_BATCH_CHARACTERS)) break
      count++
    }
    const batch = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return batch
  }

  async function runAll(): Promise<void> {
    isRunning = true
    // Send values that are given in the same turn of the event loop together.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = takeBatch()
      try {
        const texts = batch.map(({ text }) => text)
        const found = await runner.run(schemas, { kind: "values", path: "", texts })
        for (const [index, one] of batch.entries()) one.resolve(found[index] ?? null)
      } catch (error) {
        for (const one of batch) one.reject(error)
      }
    }
    isRunning = false
  }

  return {
    check: (text) =>
      new Promise((resolve, reject) => {
        waiting.push({ text, resolve, reject })
        if (!isRunning) void runAll()
      }),
  }
}
