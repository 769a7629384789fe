import type { RowFileReport } from "@assay/schemas"
import type { Storage, StoredFile } from "@assay/storage"
import { reportOf, createRowTally, createTallySum, type RowTally } from "../checking/row-tally.ts"
import type { SchemaRunner } from "../checking/schema-threads.ts"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import { openCuts, type TextFormat } from "../reading/cut-rows.ts"
import { checkRowPath } from "../rows/row-format.ts"
import type { RowSchemas } from "../schemas/row-schemas.ts"
import type { BlockChecker } from "./block-checker.ts"
import type { Slots } from "./slots.ts"
import { tallyWindow } from "./tally-window.ts"

export interface ValidateFileOptions {
  readonly storage: Storage
  /** The label of the schema for this file; undefined if there is none. */
  readonly label: string | undefined
  readonly blocks: BlockChecker
  readonly runner: SchemaRunner
  readonly schemas: RowSchemas
  /** Bounds the blocks that are under way, of all files. */
  readonly slots: Slots
  readonly maxIssues: number
  readonly signal: AbortSignal | undefined
  readonly onBytes: (count: number) => void
  readonly onRows: (count: number) => void
}

/** Reads every row of one file, and says what is wrong with the rows. */
export async function validateFile(file: StoredFile, options: ValidateFileOptions): Promise<RowFileReport> {
  const { encoding, compression } = checkRowPath(file.path)
  const tally = await (encoding === "parquet"
    ? tallyParquet(file, options)
    : tallyText(file, { encoding, compression }, options))
  return reportOf(file.path, options.label, tally)
}

async function tallyText(file: StoredFile, format: TextFormat, options: ValidateFileOptions): Promise<RowTally> {
  const { storage, blocks, slots, maxIssues, signal, onBytes, onRows } = options
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
  for await (const cut of openCuts(storage, file.path, format, { buffers: blocks.buffers, signal, onBytes })) {
    signal?.throwIfAborted()
    if (!("bounds" in cut)) {
      const single = createRowTally(undefined, sum.room())
      single.add(cut)
      underWay.push(Promise.resolve(single.result()))
    } else {
      await slots.take()
      const task = blocks.check({ path: file.path, block: cut, maxIssues: sum.room(), signal }).finally(slots.give)
      // Looked at in its turn; a failure before that is not nobody's.
      task.catch(() => {})
      underWay.push(task)
    }
    await settle(blocks.parallel)
  }
  await settle(0)
  return sum.result()
}

async function tallyParquet(file: StoredFile, options: ValidateFileOptions): Promise<RowTally> {
  const { storage, runner, schemas, maxIssues, signal, onBytes, onRows } = options
  const sum = createTallySum(maxIssues)
  const parquet = await openParquet(storage, file.path, { signal })
  try {
    for await (const window of parquet.windows()) {
      const tally = await tallyWindow(window, { path: file.path, runner, schemas, maxIssues: sum.room(), signal })
      sum.add(tally)
      onRows(tally.rows)
    }
  } finally {
    await parquet.close()
  }
  onBytes(file.size)
  return sum.result()
}
