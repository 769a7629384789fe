/**
 * A fault of a Parquet file. The message is the end of a sentence and contains no text from JavaScript or the library.
 */
export class ParquetFault extends Error {
  override readonly name = "ParquetFault"
}

/** Messages of the library itself. Others come from JavaScript and say nothing about the file. */
const OF_LIBRARY = /^parquet [\w .,:/()-]+$/
const OF_JAVASCRIPT = /undefined|NaN|null|object|Infinity/

/** Describes the fault of a file from the error that reading it threw. */
export function describeParquetFault(error: unknown): string {
  if (error instanceof ParquetFault) return error.message
  const message = error instanceof Error && error.constructor === Error ? error.message : ""
  if (OF_LIBRARY.test(message) && !OF_JAVASCRIPT.test(message)) return message
  if (error instanceof RangeError)
    return "a page or the footer ends before the values that it counts; the file is cut or damaged"
  if (error instanceof TypeError) return "a page header or the footer lacks a part that it needs; the file is damaged"
  return "its bytes do not match its footer"
}
