import type { Storage, StoredFile } from "@assay/storage"
import pLimit from "p-limit"
import { filePieces } from "../../bytes/pieces.ts"
import type { ToParquetProcess } from "./parquet-messages.ts"

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

interface PartQueueOptions {
  readonly file: ParquetFile
  /** Resolves when the message has left. */
  readonly send: (message: ToParquetProcess) => Promise<void>
  readonly onFailure: (id: number, error: unknown) => void
}

interface WantedPart {
  readonly id: number
  readonly start: number
  readonly end: number
}

/** Brings the parts of a file that a reader wants. */
interface PartQueue {
  readonly add: (part: WantedPart) => void
  /** Whether the reader waits for parts. */
  readonly isBusy: () => boolean
  readonly close: () => void
}

/** Parts that are read at a time. A file can have any number of columns, all of which are wanted at once. */
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
