/** Bytes of a row at the most, where nothing else is said. A longer row is an issue. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024

/** Bytes that are cut into rows, and read, at a time. */
export const BLOCK_BYTES = 256 * 1024

/** What is wrong with a row of more bytes than are read. */
export function tooLong(maxRowBytes: number): string {
  return `is longer than ${maxRowBytes} bytes, the most that is read`
}
