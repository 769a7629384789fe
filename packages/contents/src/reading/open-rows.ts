import type { DatasetMetadata } from "@assay/schemas"
import { createNumberFinder, type KeptNumbers } from "@assay/schemas/numbers"
import type { FilePath, Storage } from "@assay/storage"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import { checkRowPath } from "../rows/row-format.ts"
import type { Row } from "../rows/row.ts"
import { columnsOfPath } from "../schemas/column-types.ts"
import { openCuts } from "./cut-rows.ts"
import { rowsInTurns } from "./rows-in-turns.ts"

export interface OpenRowsOptions {
  /** Its schema for the path decides the types of CSV fields. Without one, all fields are text. */
  readonly metadata?: DatasetMetadata | undefined
  /** Maximum size of a row in bytes. A longer row is unreadable. Default 16 MiB. */
  readonly maxRowBytes?: number | undefined
  /** Whether numbers keep their text, such as 1.50, or only their value. Default: their text. */
  readonly numbers?: KeptNumbers | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the rows of a file in order, in batches of about one mebibyte, in flat memory. The file name decides the
 * format: JSON (an array, or values one after another), JSON lines, CSV or TSV, each also with gzip or zstd, and
 * Parquet. Faults of the content are returned as rows with a `fault`. A caller that stops early must call `return` on
 * the iterator.
 * @throws `not_a_row_file`; while reading: what the storage throws, or the reason of `signal`
 */
export async function* openRows(
  storage: Storage,
  path: FilePath,
  options: OpenRowsOptions = {},
): AsyncGenerator<readonly Row[], void, undefined> {
  const format = checkRowPath(path)
  const { encoding, compression } = format
  if (encoding === "parquet") {
    const { total, read, close } = await openParquet(storage, path, options)
    try {
      yield* read(0, total)
    } finally {
      await close()
    }
    return
  }
  const { numbers: kept = "text" } = options
  const reading = { typesOf: columnsOfPath(options.metadata, path), kept, finder: createNumberFinder() }
  for await (const cut of openCuts(storage, path, { encoding, compression }, options)) {
    yield* rowsInTurns(cut, reading)
  }
}
