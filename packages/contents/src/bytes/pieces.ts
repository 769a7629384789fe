import { AssayError } from "@assay/schemas/errors"
import { type ByteRange, type FilePath, quotePath, type Storage } from "@assay/storage"

/**
 * A stream of bytes. The memory of a piece may be reused once the next piece is requested. The return value says why
 * the bytes end before the file does; it is undefined if they are complete. Faults of the content are returned in this
 * way, faults of the storage are thrown.
 */
export type Pieces = AsyncGenerator<Uint8Array, string | undefined, undefined>

export interface FilePiecesOptions {
  readonly range?: ByteRange | undefined
  /** Read only this version. Default: any version. */
  readonly etag?: string | null | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the size of each piece after it was used. */
  readonly onBytes?: ((count: number) => void) | undefined
}

/**
 * Reads the bytes of a file. The memory of a piece is reused.
 * @throws what the storage throws; `storage_changed` if the file does not have the ETag `etag`
 */
export async function* filePieces(storage: Storage, path: FilePath, options: FilePiecesOptions): Pieces {
  const { range, etag, signal, onBytes } = options
  const { file, bytes, release } = await storage.read(path, { range, signal })
  const iterator = bytes[Symbol.asyncIterator]()
  try {
    if (etag !== undefined && file.etag !== etag) {
      const message = `File ${quotePath(path)} changed while it was read; read it again.`
      throw new AssayError("storage_changed", message, { context: { path } })
    }
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) {
      const count = step.value.length
      yield step.value
      release?.(step.value)
      onBytes?.(count)
    }
    return undefined
  } finally {
    await iterator.return?.()
  }
}

/** A pool of buffers of one size. Buffers that are given back are filled again. Giving a buffer back is optional. */
export interface BufferPool {
  readonly size: number
  readonly take: () => Uint8Array<ArrayBuffer>
  /** Takes back the whole buffer that contains `bytes`. The caller must not use it afterwards. */
  readonly give: (bytes: Uint8Array<ArrayBuffer>) => void
}

export function createBufferPool(size: number): BufferPool {
  const free: ArrayBuffer[] = []
  return {
    size,
    take: () => new Uint8Array(free.pop() ?? new ArrayBuffer(size)),
    give({ buffer }) {
      if (buffer.byteLength === size) free.push(buffer)
    },
  }
}
