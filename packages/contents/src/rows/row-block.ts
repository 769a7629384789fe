/** Bytes that hold rows one after another, each whole, and where in the file they stand. */
export interface RowBlock {
  readonly head: RowHead
  /** With a buffer of their own, which can be handed to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Three numbers for each row: its first byte within `bytes`, the byte after its last, the line ends before it. */
  readonly bounds: Uint32Array<ArrayBuffer>
  /** Rows that are longer are in the block, and are not read. */
  readonly maxRowBytes: number
  /** Index in the file of the first row. */
  readonly rowIndex: number
  /** Line of the first byte, from 1. */
  readonly line: number
  /** Byte of the file, as it is uncompressed, at which `bytes` begin. */
  readonly offset: number
}

/** How many rows `block` holds. */
export function rowsIn(block: RowBlock): number {
  return block.bounds.length / 3
}

/** What a file of JSON holds: one array, whose elements are the rows, or values one after another. */
export type JsonShape = "array" | "values"

/** What has to be known of the beginning of a file to read rows from the middle of it. */
export type RowHead =
  | { readonly encoding: "lines" }
  | { readonly encoding: "json"; readonly shape: JsonShape | null }
  | { readonly encoding: "csv"; readonly delimiter: string; readonly columns: readonly string[] | null }

/** A place in a file at which a row begins, with what has to be known to go on from there. */
export interface RowMark {
  readonly head: RowHead
  readonly rowIndex: number
  readonly line: number
  readonly offset: number
}
