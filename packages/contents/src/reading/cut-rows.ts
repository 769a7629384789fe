import type { FilePath, Storage } from "@assay/storage"
import { decompress } from "../bytes/decompress.ts"
import { createBufferPool, filePieces, type BufferPool, type FilePiecesOptions, type Pieces } from "../bytes/pieces.ts"
import { takeHeader } from "../formats/csv/csv-record.ts"
import { createCsvScanner } from "../formats/csv/csv-scanner.ts"
import { createJsonScanner } from "../formats/json/json-scanner.ts"
import { createLineScanner } from "../formats/json/line-scanner.ts"
import { BLOCK_BYTES, MAX_ROW_BYTES, type RowHead, type RowMark } from "../rows/row-block.ts"
import type { RowCompression, RowEncoding } from "../rows/row-format.ts"
import type { RowScanner } from "../rows/row-scanner.ts"
import { createBlockCutter, type Cut, type BlockCutter } from "./cut-blocks.ts"

/** A text format, with or without compression. */
export interface TextFormat {
  readonly encoding: TextEncoding
  readonly compression: RowCompression | null
}

interface OpenCutsOptions extends CutRowsOptions, FilePiecesOptions {}

/** Reads the rows of a text file as blocks, in order. Nothing is read before the first block is requested. */
export function openCuts(
  storage: Storage,
  path: FilePath,
  format: TextFormat,
  options: OpenCutsOptions = {},
): AsyncGenerator<Cut, void, undefined> {
  return cutBytes(filePieces(storage, path, options), format, options)
}

/** Cuts bytes from another source into blocks of rows. */
export function cutBytes(pieces: Pieces, format: TextFormat, options: CutRowsOptions = {}) {
  const plain = format.compression === null ? pieces : decompress(pieces, format.compression)
  return cutRows(plain, format.encoding, options)
}

export type TextEncoding = Exclude<RowEncoding, "parquet">

export interface CutRowsOptions {
  /** Buffers for the blocks. The consumer may give them back. Default: buffers of 256 KiB. */
  readonly buffers?: BufferPool | undefined
  /** Maximum size of a row in bytes. Default 16 MiB. */
  readonly maxRowBytes?: number | undefined
  /** Position of the first byte. Default: the beginning of the file. */
  readonly from?: RowMark | undefined
}

/** Cuts the rows of a text format into blocks, in order, while the bytes arrive. */
export function cutRows(
  pieces: Pieces,
  encoding: TextEncoding,
  options: CutRowsOptions = {},
): AsyncGenerator<Cut, void, undefined> {
  const { buffers = createBufferPool(BLOCK_BYTES), maxRowBytes = MAX_ROW_BYTES, from } = options
  const head = from?.head ?? HEADS[encoding]
  const isHeaderAhead = head.encoding === "csv" && head.columns === null
  const start = from ?? { rowIndex: isHeaderAhead ? -1 : 0, line: 1, offset: 0 }
  const cuts = cutPieces(pieces, createBlockCutter(openScanner(head), { buffers, maxRowBytes, start }))
  return isHeaderAhead ? takeHeader(cuts, head.delimiter) : cuts
}

const HEADS: Readonly<Record<TextEncoding, RowHead>> = {
  lines: { encoding: "lines" },
  json: { encoding: "json", shape: null },
  csv: { encoding: "csv", delimiter: ",", columns: null },
  tsv: { encoding: "csv", delimiter: "\t", columns: null },
}

function openScanner(head: RowHead): RowScanner {
  if (head.encoding === "lines") return createLineScanner()
  return head.encoding === "json" ? createJsonScanner(head.shape) : createCsvScanner(head.delimiter, head.columns)
}

async function* cutPieces(pieces: Pieces, cutter: BlockCutter): AsyncGenerator<Cut, void, undefined> {
  try {
    for (;;) {
      const step = await pieces.next()
      yield* step.done === true ? cutter.end(step.value) : cutter.push(step.value)
      if (step.done === true) return
    }
  } finally {
    await pieces.return(undefined)
  }
}
