import type { Storage, StoredFile } from "@assay/storage"
import { filePieces } from "../../bytes/file-pieces.ts"

/** No column chunk that a sane writer makes is larger. */
const MAX_PART_BYTES = 512 * 1024 * 1024

/** A file that is read by ranges, all of the version of `StoredFile`. */
export interface ParquetFile {
  readonly size: number
  /**
   * The bytes from `start` to before `end`, in memory that is used again.
   * @throws `RangeError` for a range that no file has; what the storage throws; `storage_changed`
   */
  readonly read: (start: number, end: number) => AsyncGenerator<Uint8Array, void, undefined>
}

export function openParquetFile(
  storage: Storage,
  { path, size, etag }: StoredFile,
  signal: AbortSignal | undefined,
): ParquetFile {
  return {
    size,
    async *read(start, end) {
      const length = Math.min(end, size) - start
      // Not a number if a footer lies in that way.
      if (!(start >= 0 && length >= 0 && length <= MAX_PART_BYTES)) {
        throw new RangeError(`it asks for ${length} bytes at ${start}`)
      }
      if (length === 0) return
      const range = { kind: "from", start, end: start + length - 1 } as const
      let found = 0
      for await (const piece of filePieces(storage, path, { range, etag, signal })) {
        found += piece.length
        yield piece
      }
      if (found !== length) throw new RangeError(`it has ${found} of ${length} bytes at ${start}`)
    },
  }
}
