import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import type { Compressors } from "hyparquet"
import { compressors } from "hyparquet-compressors"
import { ParquetFault } from "./parquet-fault.ts"

/** Maximum size of a decompressed page in bytes. The size that the file states is not trusted. */
const MAX_BYTES = 256 * 1024 * 1024

type Codec = (input: Uint8Array, outputLength: number) => Uint8Array

/** Returns the codecs of Parquet, with the size of a page limited. Node's own codecs are used if they exist. */
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
