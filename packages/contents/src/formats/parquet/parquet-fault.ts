/** Says what is wrong with a Parquet file, as the end of a sentence, without the words of JavaScript or the library. */
export class ParquetFault extends Error {
  override readonly name = "ParquetFault"
}

/** The library's own sentences. Others are JavaScript's, and say nothing of the file. */
const OF_LIBRARY = /^parquet [\w .,:/()-]+$/
const OF_JAVASCRIPT = /undefined|NaN|null|object|Infinity/

/** Returns what an error that reading a file threw says of the file. */
export function describeParquetFault(error: unknown): string {
  if (error instanceof ParquetFault) return error.message
  const message = error instanceof Error && error.constructor === Error ? error.message : ""
  return OF_LIBRARY.test(message) && !OF_JAVASCRIPT.test(message)
    ? message
    : "its bytes are not what its footer says of them"
}
