import type { ParquetWindow } from "../formats/parquet/open-parquet.ts"
import type { RowSchemas } from "../schemas/row-schemas.ts"
import type { SchemaRunner } from "../checking/schema-threads.ts"
import { createRowTally, type RowTally } from "../checking/row-tally.ts"

export interface WindowCheck {
  readonly path: string
  readonly runner: SchemaRunner
  readonly schemas: RowSchemas
  readonly maxIssues: number
  readonly signal: AbortSignal | undefined
}

/** Checks the rows of one window of a Parquet file on another thread. */
export async function tallyWindow(window: ParquetWindow, check: WindowCheck): Promise<RowTally> {
  const { path, runner, schemas, maxIssues, signal } = check
  if ("text" in window) return runner.run(schemas, { kind: "window", path, ...window, maxIssues }, { signal })
  const single = createRowTally(undefined, maxIssues)
  single.add(window)
  return single.result()
}
