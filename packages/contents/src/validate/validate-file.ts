import type { RowFileReport } from "@assay/schemas"
import type { FilePath, Storage, StoredFile } from "@assay/storage"
import type { LimitFunction } from "p-limit"
import type { CsvSettings } from "../formats/csv/csv-dialect.ts"
import { createRowTally, createTallySum, reportOf, type FileTally, type RowTally } from "../checking/row-tally.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { openParquet, type ParquetWindow } from "../formats/parquet/open-parquet.ts"
import { openCuts, type TextForm, type TextFormat } from "../reading/cut-rows.ts"
import { checkRowPath } from "../rows/row-format.ts"
import type { RowSchemas } from "../schemas/row-schemas.ts"
import type { BlockChecker } from "./block-checker.ts"

export interface ValidateFileOptions {
  readonly storage: Storage
  /** The label of the schema for this file. Undefined if there is none. */
  readonly label: string | undefined
  readonly blocks: BlockChecker
  readonly runner: SchemaRunner
  readonly schemas: RowSchemas
  readonly csv: CsvSettings | undefined
  /** Limits how many blocks of all files are checked at the same time. */
  readonly slots: LimitFunction
  readonly maxIssues: number
  readonly signal: AbortSignal | undefined
  readonly onBytes: (count: number) => void
  readonly onRows: (count: number) => void
}

/** Reads every row of one file and reports the invalid rows. */
export async function validateFile(file: StoredFile, options: ValidateFileOptions): Promise<RowFileReport> {
  const { encoding, compression } = checkRowPath(file.path)
  const tally =
    encoding === "parquet"
      ? await tallyParquet(options.storage, file.path, { ...options, path: file.path })
      : await tallyText(file, { encoding, compression }, options)
  if (encoding === "parquet") options.onBytes(file.size)
  return reportOf(file.path, options.label, tally)
}

async function tallyText(file: StoredFile, format: TextFormat, options: ValidateFileOptions): Promise<FileTally> {
  const { storage, blocks, slots, csv, maxIssues, signal, onBytes, onRows } = options
  let notes: readonly string[] = []
  const sum = createTallySum(maxIssues)
  const underWay: Promise<RowTally>[] = []
  const settle = async (left: number) => {
    while (underWay.length > left) {
      const tally = await underWay.shift()
      if (tally === undefined) return
      sum.add(tally)
      onRows(tally.rows)
    }
  }
  const onForm = (form: TextForm) => void (notes = form.notes)
  const cutting = { buffers: blocks.buffers, csv, signal, onBytes, onForm }
  for await (const cut of openCuts(storage, file.path, format, cutting)) {
    signal?.throwIfAborted()
    if (!("bounds" in cut)) {
      const single = createRowTally(undefined, sum.room())
      single.add(cut)
      underWay.push(Promise.resolve(single.result()))
    } else {
      // Wait for a slot before reading on, so that no blocks pile up in memory.
      const started = Promise.withResolvers<void>()
      const task = slots(() => {
        started.resolve()
        return blocks.check({ path: file.path, block: cut, maxIssues: sum.room(), signal })
      })
      // The loop awaits the task later. Until then its failure must not count as unhandled.
      task.catch(() => {})
      await started.promise
      underWay.push(task)
    }
    await settle(blocks.parallel)
  }
  await settle(0)
  return { ...sum.result(), notes }
}

interface ParquetCheck {
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
 * Checks every row of the Parquet file that is stored at `filePath`, on another thread.
 * @throws what the storage throws, `schema_too_costly`, or the reason of `signal`
 */
export async function tallyParquet(storage: Storage, filePath: FilePath, check: ParquetCheck): Promise<RowTally> {
  const { maxIssues, signal, onRows } = check
  const sum = createTallySum(maxIssues)
  const parquet = await openParquet(storage, filePath, { signal })
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
