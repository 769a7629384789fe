import type { DatasetMetadata, RowFileReport } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { type FilePath, quotePath, type Storage } from "@assay/storage"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { rowFormatOf } from "../rows/row-format.ts"
import { createSchemaChooser } from "../schemas/choose-schema.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import { tallyParquet } from "./validate-file.ts"
import { checkTextUpload } from "./check-text-upload.ts"
import { settleUpload, type UploadCheck } from "./upload-check.ts"

export interface UploadRowsOptions {
  /** The path under which the bytes will be stored. */
  readonly path: FilePath
  /** Checks the rows. */
  readonly schemas: SchemaRunner
  /** Its `enforce` decides whether anything is checked. */
  readonly metadata: DatasetMetadata | undefined
  /** Number of issues at which an upload is refused without reading on. Default 100. */
  readonly maxIssues?: number | undefined
  /** A free slot for a Parquet file, which can only be read from its end. The file is removed afterwards. */
  readonly scratch?:
    | {
        readonly storage: Storage
        readonly path: FilePath
        /** Runs the check of a file when its turn comes. Default: immediately. */
        readonly turn?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
      }
    | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the report before the bytes end, for example to warn about invalid rows. */
  readonly onReport?: ((report: RowFileReport) => void) | undefined
}

/**
 * Yields `bytes` while it checks their rows. With `enforce: "reject"`, an invalid row makes it throw before the bytes
 * end, so that the storage that reads them stores nothing.
 * @throws `invalid_request` with one issue per fault; `schema_too_costly`; `unsupported` for Parquet without `scratch`;
 * what `bytes` throw
 */
export function checkUploadRows(
  bytes: AsyncIterable<Uint8Array>,
  options: UploadRowsOptions,
): AsyncIterable<Uint8Array> {
  const { path, schemas: runner, metadata = {}, maxIssues = 100, scratch, signal, onReport } = options
  const format = rowFormatOf(path)
  const enforce = metadata.enforce ?? "off"
  if (format === undefined || enforce === "off") return bytes
  const chosen = createSchemaChooser(metadata)(path)
  const check = {
    path,
    runner,
    schemas: rowSchemasOf(metadata),
    csv: metadata.csv,
    chosen,
    maxIssues,
    isRejecting: enforce === "reject",
    signal,
    onReport,
  }
  const { encoding, compression } = format
  if (encoding === "parquet") return checkParquetUpload(bytes, check, scratch)
  return checkTextUpload(bytes, check, { encoding, compression })
}

/** Stores all bytes in the scratch storage, checks the rows, and then yields the bytes from there. */
async function* checkParquetUpload(
  bytes: AsyncIterable<Uint8Array>,
  check: UploadCheck,
  scratch: UploadRowsOptions["scratch"],
): AsyncGenerator<Uint8Array, void, undefined> {
  const { path, isRejecting, signal } = check
  if (scratch === undefined) {
    if (isRejecting) throw noScratch(path)
    yield* bytes
    return
  }
  try {
    await scratch.storage.write(scratch.path, bytes, { signal })
    const { turn = (work) => work() } = scratch
    settleUpload(check, await turn(() => tallyParquet(scratch.storage, scratch.path, check)))
    // Pieces are not released, because the consumer keeps them.
    yield* (await scratch.storage.read(scratch.path, { signal })).bytes
  } finally {
    await scratch.storage.delete(scratch.path)
  }
}

function noScratch(path: string): AssayError {
  const message = `File ${quotePath(path)} can't be checked while it is uploaded: Parquet is read from its end; store it with enforce off and validate it then.`
  return new AssayError("unsupported", message, { context: { path } })
}
