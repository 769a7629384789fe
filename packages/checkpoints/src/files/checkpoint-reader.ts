import { AssayError } from "@assay/schemas/errors"
import {
  type LfsPointer,
  lfsPointerFault,
  MAX_LFS_POINTER_BYTES,
  parseLfsPointer,
  quotePath,
  type Storage,
  type StoredFile,
} from "@assay/storage"

/** The requests and bytes that an analysis has needed so far. */
export interface ReadingCost {
  readonly bytes_read: number
  /** Number of calls to the storage. Each is at least one request to a remote backend. */
  readonly requests: number
}

/** Reads parts of the files of one storage. */
export interface CheckpointReader {
  readonly list: () => AsyncIterable<StoredFile>
  /**
   * Reads `length` bytes from `start`, or fewer if the file ends earlier.
   * @throws `storage_changed` if the file is not the one that was listed; `broken_checkpoint` for a pointer of git LFS
   */
  readonly read: (file: StoredFile, start: number, length: number) => Promise<Buffer>
}

/** A reader that counts its cost. */
export interface CountingReader extends CheckpointReader {
  readonly cost: () => ReadingCost
}

/** Creates a reader that reads ranges from `storage`. */
export function createCheckpointReader(storage: Storage, signal: AbortSignal | undefined): CountingReader {
  let bytesRead = 0
  let requests = 0
  return {
    cost: () => ({ bytes_read: bytesRead, requests }),
    list() {
      requests++
      return storage.list({ signal })
    },
    async read(file, start, length) {
      const end = Math.min(start + length, file.size)
      if (end <= start) return Buffer.alloc(0)
      requests++
      const range = { kind: "from", start, end: end - 1 } as const
      const result = await storage.read(file.path, { range, signal })
      const bytes = Buffer.allocUnsafe(end - start)
      let filled = 0
      for await (const piece of result.bytes) {
        if (filled + piece.length > bytes.length) break
        bytes.set(piece, filled)
        filled += piece.length
        result.release?.(piece)
      }
      bytesRead += filled
      if (result.file.size !== file.size || filled !== bytes.length) throw changed(file)
      const pointer = start === 0 && file.size <= MAX_LFS_POINTER_BYTES ? parseLfsPointer(bytes) : undefined
      if (pointer !== undefined) throw isPointer(file, pointer)
      return bytes
    },
  }
}

function isPointer({ path }: StoredFile, pointer: LfsPointer): AssayError {
  const message = `The file ${quotePath(path)} ${lfsPointerFault(pointer)}, and use the files that it fetches.`
  return new AssayError("broken_checkpoint", message, { context: { path: quotePath(path) } })
}

function changed(file: StoredFile): AssayError {
  const message = `The file ${quotePath(file.path)} changed while its checkpoint was analysed; analyse it again.`
  return new AssayError("storage_changed", message, { context: { path: quotePath(file.path) } })
}
