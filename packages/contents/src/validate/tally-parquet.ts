import type { FilePath, Storage } from "@assay/storage"
import { createRowTally, createTallySum, type RowTally } from "../checking/row-tally.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { openParquet, type ParquetWindow } from "../formats/parquet/open-parquet.ts"
import type { RowSchemas } from "../schemas/row-schemas.ts"

export interface ParquetCheck {
  /** The path whose schema the rows are checked against. The file itself may be stored under another one. */
  readonly path: FilePath
  readonly runner: SchemaRunner
  readonly schemas: RowSchemas
  readonly maxIssues: number
  readonly signal: AbortSignal | undefined
  /** Called with the number of rows of each window after its check. */
  readonly onRows?: ((count: number) => void) | undefined
}

/**
 * Checks every row of the Parquet file that is stored at `place`, on another thread.
 * @throws what the storage throws, `schema_too_costly`, or the reason of `signal`
 */
export async function tallyParquet(storage: Storage, place: FilePath, check: ParquetCheck): Promise<RowTally> {
  const { maxIssues, signal, onRows } = check
  const sum = createTallySum(maxIssues)
  const parquet = await openParquet(storage, place, { signal })
  try {
    for await (const window of parquet.windows()) {
      const tally = await tallyWindow(window, check, sum.room())
      sum.add(tally)
      onRows?.(tally.rows)
    }
  } finally {
    await parquet.close()
  }
  return sum.result()
}

async function tallyWindow(window: ParquetWindow, check: ParquetCheck, maxIssues: number): Promise<RowTally> {
  const { path, runner, schemas, signal } = check
  if ("text" in window) return runner.run(schemas, { kind: "window", path, ...window, maxIssues }, { signal })
  const single = createRowTally(undefined, maxIssues)
  single.add(window)
  return single.result()
}
