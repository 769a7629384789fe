import type { DatasetMetadata, RowReport } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import pLimit from "p-limit"
import pMap from "p-map"
import { checkDatasetMetadata } from "../checking/check-dataset-metadata.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { listRowFiles } from "../reading/open-rows.ts"
import { BLOCK_BYTES } from "../rows/row-block.ts"
import { createSchemaChooser } from "../schemas/choose-schema.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import { createBlockChecker, createBlockReader } from "./block-checker.ts"
import { validateFile } from "./validate-file.ts"

/** The progress of a validation. */
export interface ValidateProgress {
  readonly files: number
  readonly filesDone: number
  /** Size of all files as stored, possibly compressed. */
  readonly bytes: number
  readonly bytesDone: number
  readonly rows: number
}

export interface ValidateRowsOptions {
  readonly storage: Storage
  /** Compiles schemas and checks rows. */
  readonly schemas: SchemaRunner
  /** Without it, no file has a schema. */
  readonly metadata?: DatasetMetadata | undefined
  /** A file, or a folder with everything below it. Default: every file. */
  readonly path?: string | undefined
  /** Maximum number of issues listed per file. Default 100. */
  readonly maxIssues?: number | undefined
  /** Maximum number of threads of `schemas` to use. Default 1. */
  readonly parallel?: number | undefined
  /**
   * Total size in bytes from which several threads are worth starting. Default 150 MB, which one thread checks in 0.6
   * s.
   */
  readonly threadsFrom?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ValidateProgress) => void) | undefined
}

const WORTH_THREADS = 150_000_000
const MAX_BLOCK_BYTES = 4 * 1024 * 1024
/** Open several files at the same time, because opening one takes a remote backend some time. */
const FILES_AT_A_TIME = 4

/**
 * Reads every row of every row file, and reports which rows do not satisfy their schema, where and why. Memory is flat,
 * however large the files are. Rows are checked within the limits of `schemas`, on other threads if there are many.
 * @throws `not_found`; `not_a_row_file` for a `path` of another kind; `invalid_request` for metadata that
 * `checkDatasetMetadata` refuses (`loc` is relative to it); `schema_too_costly`; what the storage throws; the reason of
 * `signal`
 */
export async function validateRows(options: ValidateRowsOptions): Promise<RowReport> {
  const { storage, schemas: runner, metadata = {}, path, maxIssues = 100, parallel = 1, signal, onProgress } = options
  const { threadsFrom = WORTH_THREADS } = options
  // List the files first: their size decides where the schemas are compiled. Faults of the metadata take precedence
  // over faults of the listing.
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
        // If no schema applies, rows are only parsed.
        const blocks = label !== undefined || (isLarge && parallel > 1) ? checked : unchecked
        const onBytes = (count: number) => advance({ bytesDone: count })
        const onRows = (count: number) => advance({ rows: count })
        const shared = { storage, runner, schemas, csv: metadata.csv, slots, maxIssues, signal: ended }
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
    // If one file can't be read, stop reading the others.
    stop.abort()
  }
}
