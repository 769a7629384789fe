import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"
import type { Client, FileContent } from "@assay/client"
import type { FileInfo } from "@assay/schemas"
import type { FileAddress } from "../file-address.ts"
import type { TransferFile } from "../sides/transfer-side.ts"

/** Returns a file of a fileset as a file that can be moved. `path` is its path relative to the side. */
export function createFilesetFile(
  client: Client,
  { workspace, fileset }: FileAddress,
  info: FileInfo,
  path: string,
): TransferFile {
  const { size, etag, sha256 } = info

  /** Opens the bytes from `start` to `end`, exclusive, of exactly this version. */
  async function open(start: number, end: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const isWhole = start === 0 && end === size
    const part = { range: { start, end: end - 1 }, ...(etag === null ? {} : { ifRange: etag }) }
    const content = await client.files.read(workspace, fileset, info.path, { signal, ...(isWhole ? {} : part) })
    const isSame = content.size === size && (etag === null || content.etag === null || content.etag === etag)
    const given = content.range ?? { start: 0, end: size - 1 }
    if (isSame && given.start === start && given.end === end - 1) return content.bytes
    await discard(content)
    const message = `'${printable(path)}' changed on the server while it was read.`
    throw new AssayError("storage_changed", message, { context: { path } })
  }

  async function* stream(start: number, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    // An HTTP range cannot be empty.
    if (start < size || size === 0) yield* await open(start, size, signal)
  }

  return {
    path,
    size,
    version: etag ?? sha256 ?? `${size}-${info.updated_at}`,
    sha256: async () => sha256,
    piece: async (start, end, signal) => collect(await open(start, end, signal), end - start),
    stream,
  }
}

async function collect(bytes: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(length)
  let offset = 0
  for await (const piece of bytes) {
    all.set(piece, offset)
    offset += piece.length
  }
  return all
}

/** Discards a body: leaving the loop ends the request. */
async function discard({ bytes }: FileContent): Promise<void> {
  for await (const _piece of bytes) return
}
