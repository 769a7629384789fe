import type { Storage, StoredFile } from "@assay/storage"
import type { AsyncBuffer } from "hyparquet"
import { filePieces } from "../bytes/file-pieces.ts"

/** No column chunk that a sane writer makes is larger; a length that lies would otherwise take all memory. */
const MOST_BYTES = 512 * 1024 * 1024

/** A file as the Parquet reader asks for it: by ranges, all of the version that `file` is. */
export function openParquetFile(
  storage: Storage,
  { path, size, etag }: StoredFile,
  signal: AbortSignal | undefined,
): AsyncBuffer {
  async function read(start: number, length: number): Promise<ArrayBuffer> {
    // Not a number, where a footer lies in that way.
    if (!(start >= 0 && length >= 0 && length <= MOST_BYTES)) {
      throw new RangeError(`it asks for ${length} bytes at ${start}`)
    }
    const part = new Uint8Array(length)
    if (length === 0) return part.buffer
    const range = { kind: "from", start, end: start + length - 1 } as const
    let filled = 0
    for await (const piece of filePieces(storage, path, { range, etag, signal })) {
      part.set(piece, filled)
      filled += piece.length
    }
    return part.buffer
  }

  return {
    byteLength: size,
    slice(start, end = size) {
      const part = read(start, Math.min(end, size) - start)
      // The reader asks for many parts ahead, and forgets about the others when one of them fails.
      part.catch(() => {})
      return part
    },
  }
}
