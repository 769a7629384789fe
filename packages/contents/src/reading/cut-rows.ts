import { type FilePath, lfsPointerFault, MAX_LFS_POINTER_BYTES, parseLfsPointer, type Storage } from "@assay/storage"
import type { CsvSettings } from "../formats/csv/csv-dialect.ts"
import { decompress } from "../bytes/decompress.ts"
import { peek } from "../bytes/peek.ts"
import { createBufferPool, filePieces, type BufferPool, type FilePiecesOptions, type Pieces } from "../bytes/pieces.ts"
import { takeHeader } from "../formats/csv/csv-record.ts"
import { createCsvScanner } from "../formats/csv/csv-scanner.ts"
import { createJsonScanner } from "../formats/json/json-scanner.ts"
import { createLineScanner } from "../formats/json/line-scanner.ts"
import { BLOCK_BYTES, MAX_ROW_BYTES, type RowHead, type RowMark } from "../rows/row-block.ts"
import type { RowCompression, TextEncoding } from "../rows/row-format.ts"
import type { RowScanner } from "../rows/row-scanner.ts"
import type { UnreadableRow } from "../rows/row.ts"
import { isWide, UTF8 } from "../text/charset.ts"
import { toNarrow } from "../text/wide-text.ts"
import { createBlockCutter, type Cut, type BlockCutter } from "./cut-blocks.ts"
import { examineText } from "./examine-text.ts"
import { notCompressedFault } from "../bytes/other-kind.ts"

/** A text format, with or without compression. */
export interface TextFormat {
  readonly encoding: TextEncoding
  readonly compression: RowCompression | null
}

export interface CutRowsOptions {
  /** Buffers for the blocks. The consumer may give them back. Default: buffers of 256 KiB. */
  readonly buffers?: BufferPool | undefined
  /** Maximum size of a row in bytes. Default 16 MiB. */
  readonly maxRowBytes?: number | undefined
  /** The form of CSV. Absent fields are detected. */
  readonly csv?: CsvSettings | undefined
  /** Position of the first byte. Default: the beginning of the file, where its form is detected. */
  readonly from?: RowMark | undefined
  /** Called before the first row with what was detected: ends of sentences about the file, and why. */
  readonly onForm?: ((form: TextForm) => void) | undefined
}

/** The form of a text file. */
export interface TextForm {
  readonly head: RowHead
  /** Differences from the usual form of a file with this name, and the reasons for them: ends of sentences. */
  readonly notes: readonly string[]
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
export async function* cutBytes(
  pieces: Pieces,
  { encoding, compression }: TextFormat,
  options: CutRowsOptions = {},
): AsyncGenerator<Cut, void, undefined> {
  if (options.from !== undefined) {
    const plain = compression === null ? pieces : decompress(pieces, compression)
    yield* cutFrom(plain, options.from, options)
    return
  }
  const stored = await peek(pieces, MAX_LFS_POINTER_BYTES)
  const pointer = stored.isWhole ? parseLfsPointer(stored.beginning) : undefined
  if (pointer !== undefined) {
    yield faultOfFile(lfsPointerFault(pointer))
    return
  }
  const misnamed = compression === null ? undefined : notCompressedFault(stored.beginning, compression)
  if (misnamed !== undefined) {
    await stored.pieces.return(undefined)
    yield faultOfFile(misnamed)
    return
  }
  const plain = compression === null ? stored.pieces : decompress(stored.pieces, compression)
  const { head, start, pieces: text, notes, fault } = await examineText(plain, encoding, options.csv)
  options.onForm?.({ head, notes })
  if (fault === null) yield* cutFrom(text, { head, ...start }, options)
  else {
    await text.return(undefined)
    yield faultOfFile(fault)
  }
}

function faultOfFile(fault: string): UnreadableRow {
  return { row_index: 0, line: 1, offset: 0, row: null, fault, isOfFile: true }
}

/** Cuts the rows from a mark on into blocks, in order, while the bytes arrive. */
function cutFrom(pieces: Pieces, from: RowMark, options: CutRowsOptions): AsyncGenerator<Cut, void, undefined> {
  const { buffers = createBufferPool(BLOCK_BYTES), maxRowBytes = MAX_ROW_BYTES } = options
  const { head } = from
  const { charset = UTF8 } = head
  const text = isWide(charset) ? toNarrow(pieces, charset) : pieces
  const cuts = cutPieces(text, createBlockCutter(openScanner(from), { buffers, maxRowBytes, start: from }))
  return head.encoding === "csv" && head.columns === null ? takeHeader(cuts, head) : cuts
}

function openScanner({ head, rowIndex }: RowMark): RowScanner {
  if (head.encoding === "lines") return createLineScanner(head, rowIndex === 0)
  return head.encoding === "json" ? createJsonScanner(head) : createCsvScanner(head)
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
