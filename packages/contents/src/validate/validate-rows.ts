import type { DatasetMetadata, RowReport } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import pLimit from "p-limit"
import pMap from "p-map"
import { checkDatasetMetadata } from "../checking/check-dataset-metadata.ts"
import { createSchemaChooser } from "../schemas/choose-schema.ts"
import { BLOCK_BYTES } from "../rows/row-limits.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { createBlockChecker, createBlockReader } from "./block-checker.ts"
import { listRowFiles } from "../reading/list-row-files.ts"
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
  /** Where schemas are compiled and rows are checked. */
  readonly schemas: SchemaRunner
  /** Without it every row file is one without a schema. */
  readonly metadata?: DatasetMetadata | undefined
  /** A file, or a folder with all below it. Default: every file. */
  readonly path?: string | undefined
  /** Issues that are listed of each file. Default 100. */
  readonly maxIssues?: number | undefined
  /** Threads that check rows at a time, of those that `schemas` has. Default 1. */
  readonly parallel?: number | undefined
  /** Bytes of all files from which several threads are worth their start. Default 150 MB, which one checks in 0.6 s. */
  readonly threadsFrom?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ValidateProgress) => void) | undefined
}

const WORTH_THREADS = 150_000_000
const MAX_BLOCK_BYTES = 4 * 1024 * 1024
/** Small files are waited for side by side, since each takes a backend some time to open. */
const FILES_AT_A_TIME = 4

/**
 * Reads every row of every file that holds rows, and says which do not satisfy their schema, and where and why. Memory is
 * flat, however large the files are. Rows are checked within the limits of `schemas`, on other threads if there are many.
 * @throws `not_found`, `not_a_row_file` for a `path` of another kind, `invalid_request` for metadata that
 * `checkDatasetMetadata` refuses (`loc` is within it), `schema_too_costly`, what the storage throws, or the reason of `signal`
 */
export async function validateRows(options: ValidateRowsOptions): Promise<RowReport> {
  const { storage, schemas: runner, metadata = {}, path, maxIssues = 100, parallel = 1, signal, onProgress } = options
  const { threadsFrom = WORTH_THREADS } = options
  // Listed first, since a few rows are checked where the schemas are compiled. Faults of the metadata are told first.
  const [listing] = await Promise.allSettled([listRowFiles(storage, path, signal)])
  const files = listing.status === "fulfilled" ? listing.value : []
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  await checkDatasetMetadata(metadata, { schemas: runner, loc: [], characters: bytes, signal })
  if (listing.status === "rejected") throw listing.reason
  const choose = createSchemaChooser(metadata)
  const schemas = rowSchemasOf(metadata)
  const isLarge = bytes >= threadsFrom
  const threads = isLarge ? Math.min(parallel, runner.parallel) : 1
  const blockBytes = Math.min(Math.max(bytes, BLOCK_BYTES), MAX_BLOCK_BYTES)
  const checked = createBlockChecker({ runner, schemas, parallel: threads, blockBytes, characters: bytes })
  const unchecked = createBlockReader()
  const slots = pLimit(threads + 1)
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
    const reports = await pMap(
      files,
      async (file) => {
        const label = choose(file.path)?.label
        // Rows that no schema is for are only parsed.
        const blocks = label !== undefined || (isLarge && parallel > 1) ? checked : unchecked
        const onBytes = (count: number) => advance({ bytesDone: count })
        const onRows = (count: number) => advance({ rows: count })
        const shared = { storage, runner, schemas, slots, maxIssues, signal: ended }
        const report = await validateFile(file, { ...shared, blocks, label, onBytes, onRows })
        advance({ filesDone: 1 })
        return report
      },
      { concurrency: FILES_AT_A_TIME },
    )
    const sum = (key: "rows" | "valid" | "invalid") => reports.reduce((total, report) => total + report[key], 0)
    return {
      files: reports,
      rows: sum("rows"),
      valid: sum("valid"),
      invalid: sum("invalid"),
      without_schema: reports.filter(({ schema }) => schema === null).map((report) => report.path),
    }
  } finally {
    // Of the other files, where one can't be read.
    stop.abort()
  }
}
