import { isAssayError } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import { bytesGone, type StoredPiece } from "../upload-rows.ts"

/** First and last byte, both included. */
export interface ReadPart {
  readonly start: number
  readonly end: number
  /** Whether the memory of a piece may be used again as soon as the next one is asked for. Default false. */
  readonly isTransient?: boolean | undefined
}

/** Returns whether the pieces, in their order, are exactly the bytes of a file. */
export function areWhole(pieces: readonly StoredPiece[], length: number): boolean {
  let end = 0
  for (const { start, size } of pieces) {
    if (start !== end) return false
    end += size
  }
  return end === length
}

/**
 * Reads a part of an upload.
 * @throws `upload_gone` if a piece is missing or has another size, and the errors of the storage
 */
export async function* readPieces(
  storage: Storage,
  id: string,
  pieces: readonly StoredPiece[],
  part: ReadPart,
): AsyncGenerator<Uint8Array, void> {
  for (const { start, size, path } of pieces) {
    const from = Math.max(part.start - start, 0)
    const to = Math.min(part.end - start, size - 1)
    if (from > to) continue
    let length = 0
    try {
      // A file that grew can have bytes after those on record.
      const isWhole = from === 0 && to === size - 1 && storage.grow === undefined
      const range = isWhole ? undefined : ({ kind: "from", start: from, end: to } as const)
      const { bytes, release } = await storage.read(path, { range })
      for await (const some of bytes) {
        length += some.byteLength
        yield some
        if (part.isTransient === true) release?.(some)
      }
    } catch (error) {
      throw isAssayError(error, "not_found") ? bytesGone(id, error) : error
    }
    if (length !== to - from + 1) throw bytesGone(id)
  }
}
