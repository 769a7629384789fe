import { createBufferPool, type BufferPool } from "../bytes/buffer-pool.ts"
import type { Pieces } from "../bytes/pieces.ts"
import { createCsvScanner } from "../formats/csv/csv-scanner.ts"
import { takeColumns } from "../formats/csv/take-columns.ts"
import { createJsonScanner } from "../formats/json/json-scanner.ts"
import { createBlockCutter, type BlockCutter, type Cut } from "./cut-blocks.ts"
import { createLineScanner } from "../formats/json/line-scanner.ts"
import type { RowEncoding } from "../rows/row-format.ts"
import type { RowHead, RowMark } from "../rows/row-head.ts"
import { BLOCK_BYTES, MAX_ROW_BYTES } from "../rows/row-limits.ts"
import type { RowScanner } from "../rows/row-scanner.ts"

export type TextEncoding = Exclude<RowEncoding, "parquet">

export interface CutRowsOptions {
  /** Where blocks are filled. Whoever has used one may give its bytes back. Default: buffers of 256 KiB. */
  readonly buffers?: BufferPool | undefined
  /** Default 64 MiB. */
  readonly maxRowBytes?: number | undefined
  /** Where the bytes begin. Default: at the beginning of the file. */
  readonly from?: RowMark | undefined
}

/** The rows of a text format as blocks, in order, while the bytes come. */
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
  return isHeaderAhead ? takeColumns(cuts, head.delimiter) : cuts
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
