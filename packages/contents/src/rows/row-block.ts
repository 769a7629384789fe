import type { CsvDialect } from "../formats/csv/csv-dialect.ts"
import { isWide, sizeInFile, UTF8, type Charset } from "../text/charset.ts"

/** A block of bytes that holds whole rows one after another, with its position in the file. */
export interface RowBlock {
  readonly head: RowHead
  /** Has a buffer of its own, which can be transferred to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /**
   * Three numbers for each row: its first byte within `bytes`, the byte after its last, and the number of line ends
   * before it.
   */
  readonly bounds: Uint32Array<ArrayBuffer>
  /** Longer rows are in the block, but they are not parsed. */
  readonly maxRowBytes: number
  /** Index of the first row in the file. */
  readonly rowIndex: number
  /** Line of the first byte in the file, from 1. */
  readonly line: number
  /** Position of `bytes` in the uncompressed file. */
  readonly offset: number
}

/** Returns how many rows `block` holds. */
export function rowsIn(block: RowBlock): number {
  return block.bounds.length / 3
}

/** The content of a JSON file: one array whose elements are the rows, or values one after another. */
export type JsonShape = "array" | "values"

/** The facts about the beginning of a file that a reader needs to read rows from the middle of it. Plain data. */
export type RowHead = {
  /** The encoding of the text in the file. Default: UTF-8. The bytes of blocks are UTF-8 if it is UTF-16. */
  readonly charset?: Charset
} & (
  | { readonly encoding: "lines" }
  | { readonly encoding: "json"; readonly shape: JsonShape | null }
  | { readonly encoding: "csv"; readonly dialect: CsvDialect; readonly columns: readonly string[] | null }
)

/** Creates a function that returns the position in the file of a byte of a block. Call it with bytes in ascending order. */
export function createPositions({ head, bytes, offset }: RowBlock): (at: number) => number {
  const { charset = UTF8 } = head
  if (!isWide(charset)) return (at) => offset + at
  let known = 0
  let position = offset
  return (at) => {
    position += sizeInFile(charset, bytes.subarray(known, at))
    known = at
    return position
  }
}

/** A position in a file where a row begins, with everything needed to read on from there. */
export interface RowMark {
  readonly head: RowHead
  readonly rowIndex: number
  readonly line: number
  readonly offset: number
}

/** Default maximum size of a row in bytes. A longer row is an issue. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024

/** Number of bytes that are read and cut into rows at a time. */
export const BLOCK_BYTES = 256 * 1024

/** Returns the fault of a row that exceeds the limit. */
export function tooLongFault(maxRowBytes: number): string {
  return `is longer than ${maxRowBytes} bytes, the maximum that is read`
}
