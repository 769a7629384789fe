import type { BundleFile } from "@assay/evidence"
import { localFailure, openRegularFile } from "@assay/storage"

export interface OpenedFile extends AsyncDisposable {
  readonly file: BundleFile
}

/** Bytes that are read at once. */
const PIECE = 1024 * 1024

/** Opens a file of this machine to read it in parts. @throws `local_file_failed`, or a more precise code */
export async function openBundleFile(path: string): Promise<OpenedFile> {
  const handle = await openRegularFile(path).catch((error: unknown) => {
    throw localFailure(error, "read", path)
  })
  const { size } = await handle.stat()
  async function* read(start: number, end: number, signal?: AbortSignal): AsyncGenerator<Buffer, void> {
    for (let at = start; at < end;) {
      signal?.throwIfAborted()
      const length = Math.min(PIECE, end - at)
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  }
  return { file: { size, read }, [Symbol.asyncDispose]: () => handle.close() }
}
