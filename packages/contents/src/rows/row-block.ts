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

/** The facts about the beginning of a file that a reader needs to read rows from the middle of it. */
export type RowHead =
  | { readonly encoding: "lines" }
  | { readonly encoding: "json"; readonly shape: JsonShape | null }
  | { readonly encoding: "csv"; readonly delimiter: string; readonly columns: readonly string[] | null }

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
