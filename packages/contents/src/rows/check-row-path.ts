import { AssayError } from "@assay/schemas/errors"
import type { FilePath } from "@assay/storage"
import { quotePath } from "@assay/storage/paths"
import { rowFormatOf, type RowFormat } from "./row-format.ts"

/**
 * The format of the rows of `path`.
 * @throws `not_a_row_file`
 */
export function checkRowPath(path: FilePath): RowFormat {
  const format = rowFormatOf(path)
  if (format !== undefined) return format
  const message =
    `File ${quotePath(path)} is none that rows are read from; name one that ends in .jsonl, .ndjson, .json, .csv, .tsv ` +
    "(and .gz or .zst) or .parquet."
  throw new AssayError("not_a_row_file", message, { context: { path } })
}
