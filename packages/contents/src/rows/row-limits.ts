/** Default maximum size of a row in bytes. A longer row is an issue. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024

/** Number of bytes that are read and cut into rows at a time. */
export const BLOCK_BYTES = 256 * 1024

/** Returns the fault of a row that exceeds the limit. */
export function tooLongFault(maxRowBytes: number): string {
  return `is longer than ${maxRowBytes} bytes, the maximum that is read`
}
