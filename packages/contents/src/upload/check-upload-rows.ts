import type { DatasetMetadata, RowFileReport } from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { rowFormatOf } from "../rows/row-format.ts"
import { createSchemaChooser } from "../schemas/choose-schema.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import { checkParquetUpload } from "./check-parquet-upload.ts"
import { checkTextUpload } from "./check-text-upload.ts"

export interface UploadRowsOptions {
  /** The path under which the bytes will be stored. */
  readonly path: FilePath
  /** Checks the rows. */
  readonly schemas: SchemaRunner
  /** Its `enforce` decides whether anything is checked. */
  readonly metadata: DatasetMetadata | undefined
  /** Number of issues at which an upload is refused without reading on. Default 100. */
  readonly maxIssues?: number | undefined
  /** A free place for a Parquet file, which can only be read from its end. The file is removed afterwards. */
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
