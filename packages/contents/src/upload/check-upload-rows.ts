import type { DatasetMetadata, RowFileReport } from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"
import { rowFormatOf } from "../rows/row-format.ts"
import { createSchemaChooser } from "../schemas/choose-schema.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { checkParquetUpload } from "./check-parquet-upload.ts"
import { checkTextUpload } from "./check-text-upload.ts"

export interface UploadRowsOptions {
  /** Under which the bytes are to be stored. */
  readonly path: FilePath
  /** Where rows are checked. */
  readonly schemas: SchemaRunner
  /** Whose `enforce` says whether anything is checked at all. */
  readonly metadata: DatasetMetadata | undefined
  /** An upload with so many issues is refused without reading on. Default 100. */
  readonly maxIssues?: number | undefined
  /** An empty place for a Parquet file, which can be read from its end only. What is put there is removed again. */
  readonly scratch?:
    | {
        readonly storage: Storage
        readonly path: FilePath
        /** Runs the check of a file when its turn comes. Default: at once. */
        readonly turn?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
      }
    | undefined
  readonly signal?: AbortSignal | undefined
  /** Told what was found before the bytes end; the way to warn. */
  readonly onReport?: ((report: RowFileReport) => void) | undefined
}

/**
 * Passes `bytes` on while it checks the rows that they hold. Under `enforce: "reject"` an invalid row makes it throw before
 * the bytes end, so that a storage that is given them stores nothing.
 * @throws `invalid_request` with an issue for each fault; `schema_too_costly`; `unsupported` for Parquet without `scratch`;
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
