import { AssayError } from "@assay/schemas/errors"
import type { ByteRange, FilePath, Storage } from "@assay/storage"
import { quotePath } from "@assay/storage/paths"

/**
 * Bytes on their way, in pieces that may be used again once the next one is asked for. It returns, at its end, why the
 * bytes end before the file does, if they do: what is wrong with the content is told there, while what is wrong with the
 * storage is thrown.
 */
export type Pieces = AsyncGenerator<Uint8Array, string | undefined, undefined>

export interface FilePiecesOptions {
  readonly range?: ByteRange | undefined
  /** The version that is to be read. Default: whichever is there. */
  readonly etag?: string | null | undefined
  readonly signal?: AbortSignal | undefined
  /** Told of each piece when it has been used. */
  readonly onBytes?: ((count: number) => void) | undefined
}

/**
 * The bytes of a file, in memory that is used again.
 * @throws what the storage throws, `storage_changed` where the file is not the version that is to be read
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
