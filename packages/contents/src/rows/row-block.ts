import type { RowHead } from "./row-head.ts"

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
