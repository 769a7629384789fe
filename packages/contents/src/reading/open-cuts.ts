import type { FilePath, Storage } from "@assay/storage"
import { decompress } from "../bytes/decompress.ts"
import { filePieces, type FilePiecesOptions } from "../bytes/file-pieces.ts"
import type { Pieces } from "../bytes/pieces.ts"
import type { Cut } from "./cut-blocks.ts"
import { cutRows, type CutRowsOptions, type TextEncoding } from "./cut-rows.ts"
import type { RowCompression } from "../rows/row-format.ts"

/** A format of text, compressed or not. */
export interface TextFormat {
  readonly encoding: TextEncoding
  readonly compression: RowCompression | null
}

export interface OpenCutsOptions extends CutRowsOptions, FilePiecesOptions {}

/** The rows of a file of text as blocks, in order. Nothing is read before the first one is asked for. */
export function openCuts(
  storage: Storage,
  path: FilePath,
  format: TextFormat,
  options: OpenCutsOptions = {},
): AsyncGenerator<Cut, void, undefined> {
  return cutBytes(filePieces(storage, path, options), format, options)
}

/** The same of bytes that come from elsewhere. */
export function cutBytes(pieces: Pieces, format: TextFormat, options: CutRowsOptions = {}) {
  const plain = format.compression === null ? pieces : decompress(pieces, format.compression)
  return cutRows(plain, format.encoding, options)
}
