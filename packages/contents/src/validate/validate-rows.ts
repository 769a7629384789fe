import type { DatasetMetadata, RowReport } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import { checkDatasetMetadata } from "../schemas/check-dataset-metadata.ts"
import { createRowCheckers } from "../schemas/create-row-checkers.ts"
import { createLocalChecker } from "./block-checker.ts"
import { mapInOrder } from "./map-in-order.ts"
import { listRowFiles } from "../files/list-row-files.ts"
import { createSlots } from "./slots.ts"
import { createThreadedChecker } from "./threaded-checker.ts"
import { validateFile } from "./validate-file.ts"

/** How far a validation has come. */
export interface ValidateProgress {
  readonly files: number
  readonly filesDone: number
  /** Of all files, as they are stored. */
  readonly bytes: number
  readonly bytesDone: number
  readonly rows: number
}

export interface ValidateRowsOptions {
  readonly storage: Storage
  /** Without it every row file is one without a schema. */
  readonly metadata?: DatasetMetadata | undefined
  /** A file, or a folder with all below it. Default: every file. */
  readonly path?: string | undefined
  /** Issues that are listed of each file. Default 100. */
  readonly maxIssues?: number | undefined
  /** Processor cores to use. With 1 the calling thread does all. Default 1. */
  readonly parallel?: number | undefined
  /** Bytes of all files from which threads are worth their start. Default 150 MB, which one thread checks in 0.6 s. */
  readonly threadsFrom?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ValidateProgress) => void) | undefined
}

const WORTH_THREADS = 150_000_000
/** Small files are waited for side by side, since each takes a backend some time to open. */
const FILES_AT_A_TIME = 4

/**
 * Reads every row of every file that holds rows, and says which do not satisfy their schema, and where and why. Memory is
 * flat, however large the files are; rows of text are checked on `parallel` threads, those of Parquet on this one.
 * @throws `not_found`, `not_a_row_file` for a `path` of another kind, `invalid_request` for metadata that
 * `checkDatasetMetadata` refuses (`loc` is within it), what the storage throws, or the reason of `signal`
 */
export async function validateRows(options: ValidateRowsOptions): Promise<RowReport> {
  const { storage, metadata = {}, path, maxIssues = 100, parallel = 1, signal, onProgress } = options
  const { threadsFrom = WORTH_THREADS } = options
  checkDatasetMetadata(metadata, [])
  const files = await listRowFiles(storage, path, signal)
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  const checkers = createRowCheckers(metadata)
  const blocks =
    parallel > 1 && bytes >= threadsFrom ? createThreadedChecker(metadata, parallel) : createLocalChecker(checkers)
  const slots = createSlots(blocks.parallel + 1)
  const stop = new AbortController()
  const ended = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])])
  let progress: ValidateProgress = { files: files.length, filesDone: 0, bytes, bytesDone: 0, rows: 0 }
  const advance = (by: Partial<ValidateProgress>) => {
    progress = {
      ...progress,
      filesDone: progress.filesDone + (by.filesDone ?? 0),
      bytesDone: progress.bytesDone + (by.bytesDone ?? 0),
      rows: progress.rows + (by.rows ?? 0),
    }
    onProgress?.(progress)
  }
  try {
    const reports = await mapInOrder(files, FILES_AT_A_TIME, async (file) => {
      const checker = checkers.forPath(file.path)
      const onBytes = (count: number) => advance({ bytesDone: count })
      const onRows = (count: number) => advance({ rows: count })
      const shared = { storage, blocks, slots, maxIssues, signal: ended }
      const report = await validateFile(file, { ...shared, checker, onBytes, onRows })
      advance({ filesDone: 1 })
      return report
    })
    const sum = (key: "rows" | "valid" | "invalid") => reports.reduce((total, report) => total + report[key], 0)
    return {
      files: [...reports],
      rows: sum("rows"),
      valid: sum("valid"),
      invalid: sum("invalid"),
      without_schema: reports.filter(({ schema }) => schema === null).map((report) => report.path),
    }
  } finally {
    // Of the other files, where one can't be read.
    stop.abort()
    await blocks.close()
  }
}
