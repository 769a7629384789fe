import { AssayError } from "@assay/schemas/errors"
import { type FilePath, quotePath } from "@assay/storage"

export type RowEncoding = "lines" | "json" | "csv" | "tsv" | "parquet"
export type TextEncoding = Exclude<RowEncoding, "parquet">
export type RowCompression = "gzip" | "zstd"

/** The format of a row file. */
export interface RowFormat {
  readonly encoding: RowEncoding
  readonly compression: RowCompression | null
}

const ENCODINGS: Readonly<Record<string, RowEncoding>> = {
  jsonl: "lines",
  ndjson: "lines",
  json: "json",
  csv: "csv",
  tsv: "tsv",
  parquet: "parquet",
}
const COMPRESSIONS: Readonly<Record<string, RowCompression>> = { gz: "gzip", zst: "zstd" }

/**
 * Returns the format that a file name indicates, in upper or lower case. Returns undefined if the file holds no rows.
 * Parquet has its own compression, so `.parquet.gz` is not a row file.
 */
export function rowFormatOf(path: string): RowFormat | undefined {
  const [, name, ending] = /\.([a-z]+)(?:\.(gz|zst))?$/.exec(path.toLowerCase()) ?? []
  const encoding = name === undefined || !Object.hasOwn(ENCODINGS, name) ? undefined : ENCODINGS[name]
  if (encoding === undefined || (encoding === "parquet" && ending !== undefined)) return undefined
  return { encoding, compression: ending === undefined ? null : (COMPRESSIONS[ending] ?? null) }
}

/**
 * Returns the format of the rows of `path`.
 * @throws `not_a_row_file`
 */
export function checkRowPath(path: FilePath): RowFormat {
  const format = rowFormatOf(path)
  if (format !== undefined) return format
  const message =
    `File ${quotePath(path)} is not a row file; name one that ends in .jsonl, .ndjson, .json, .csv, .tsv ` +
    "(and .gz or .zst) or .parquet."
  throw new AssayError("not_a_row_file", message, { context: { path } })
}
