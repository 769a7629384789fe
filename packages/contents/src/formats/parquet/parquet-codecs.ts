import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import type { Compressors } from "hyparquet"
import { compressors } from "hyparquet-compressors"
import { ParquetFault } from "./parquet-fault.ts"

/** Bytes of one page, decompressed, at the most: what a file says of itself is not to be believed. */
const MAX_BYTES = 256 * 1024 * 1024

type Codec = (input: Uint8Array, outputLength: number) => Uint8Array

/** Every codec of Parquet, those of Node where it has them, for pages of a sane size. */
export function parquetCodecs(): Compressors {
  const { SNAPPY, LZ4, LZ4_RAW } = compressors
  const limit = { maxOutputLength: MAX_BYTES }
  return {
    GZIP: (input) => gunzipSync(input, limit),
    ZSTD: (input) => zstdDecompressSync(input, limit),
    BROTLI: (input) => brotliDecompressSync(input, limit),
    ...(SNAPPY === undefined ? {} : { SNAPPY: bounded(SNAPPY) }),
    ...(LZ4 === undefined ? {} : { LZ4: bounded(LZ4) }),
    ...(LZ4_RAW === undefined ? {} : { LZ4_RAW: bounded(LZ4_RAW) }),
  }
}

function bounded(decompress: Codec): Codec {
  return (input, outputLength) => {
    if (outputLength > MAX_BYTES) throw new ParquetFault(`it has a page of ${outputLength} bytes`)
    return decompress(input, outputLength)
  }
}
