import type { Storage, StoredFile } from "@assay/storage"
import pLimit from "p-limit"
import { filePieces } from "../../bytes/pieces.ts"
import type { ToParquetProcess } from "./process/parquet-messages.ts"

/** Maximum size of a column chunk. Normal writers stay below it. */
const MAX_PART_BYTES = 512 * 1024 * 1024

/** A file that is read by ranges, all from the version of `StoredFile`. */
export interface ParquetFile {
  readonly size: number
  /**
   * Reads the bytes from `start` to before `end`. The memory of a piece is reused.
   * @throws `RangeError` for an impossible range; what the storage throws; `storage_changed`
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
      // The length is NaN if the footer contains such values.
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

interface PartQueueOptions {
  readonly file: ParquetFile
  /** Resolves when the message was sent. */
  readonly send: (message: ToParquetProcess) => Promise<void>
  readonly onFailure: (id: number, error: unknown) => void
}

interface WantedPart {
  readonly id: number
  readonly start: number
  readonly end: number
}

/** Sends the requested parts of a file to the reader. */
interface PartQueue {
  readonly add: (part: WantedPart) => void
  /** Returns whether the reader is waiting for parts. */
  readonly isBusy: () => boolean
  readonly close: () => void
}

/**
 * Number of parts that are read at the same time. A file can have any number of columns, and the reader requests all of
 * them at once.
 */
const AT_A_TIME = 8

export function createPartQueue({ file, send, onFailure }: PartQueueOptions): PartQueue {
  const limit = pLimit(AT_A_TIME)
  let isClosed = false

  async function bring({ id, start, end }: WantedPart): Promise<void> {
    try {
      for await (const bytes of file.read(start, end)) {
        if (isClosed) return
        await send({ kind: "bytes", id, bytes })
      }
    } catch (error) {
      if (!isClosed) onFailure(id, error)
    }
  }

  return {
    add: (part) => void limit(bring, part),
    isBusy: () => limit.activeCount > 0,
    close() {
      isClosed = true
      limit.clearQueue()
    },
  }
}
