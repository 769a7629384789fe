import { hash } from "node:crypto"
import { sendUpload, type Client, type FileContent } from "@assay/client"
import { type FileInfo, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { FileAddress } from "../file-address.ts"
import type { TransferCache } from "../sides/transfer-cache.ts"
import { LARGE_FILE_BYTES, SMALL_FILE_BYTES, type TransferFile } from "../sides/transfer-side.ts"

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

interface SendFileOptions {
  readonly client: Client
  readonly cache: TransferCache
  /** Waits before retry number `attempt` of a piece of a large file. */
  readonly pause: (attempt: number) => Promise<void>
  readonly onBytes: (count: number) => void
  readonly signal: AbortSignal
}

/** Sends a file to a fileset: whole, streamed or in pieces, as its size demands. Includes the digest if it is known. */
export function sendFile(file: TransferFile, to: Required<FileAddress>, options: SendFileOptions): Promise<void> {
  if (file.size <= SMALL_FILE_BYTES) return sendWhole(file, to, options)
  return file.size < LARGE_FILE_BYTES ? sendStream(file, to, options) : sendPieces(file, to, options)
}

async function sendWhole(file: TransferFile, to: Required<FileAddress>, options: SendFileOptions): Promise<void> {
  const { client, onBytes, signal } = options
  const bytes = await file.piece(0, file.size, signal)
  await client.files.write(to.workspace, to.fileset, to.path, bytes, { sha256: hash("sha256", bytes, "hex"), signal })
  onBytes(bytes.length)
}

async function sendStream(file: TransferFile, to: Required<FileAddress>, options: SendFileOptions): Promise<void> {
  const { client, onBytes, signal } = options
  const sha256 = await file.sha256(signal)
  await client.files.write(to.workspace, to.fileset, to.path, counted(file.stream(0, signal), onBytes), {
    length: file.size,
    signal,
    ...(sha256 === null ? {} : { sha256 }),
  })
}

/** Resumes the upload of an earlier run if the server still has it. */
async function sendPieces(file: TransferFile, to: Required<FileAddress>, options: SendFileOptions): Promise<void> {
  const { client, cache, onBytes, pause, signal } = options
  const { workspace, fileset, path } = to
  const key = JSON.stringify([client.url, workspace, fileset, path, file.version])
  const id = cache.upload(key)
  let reported = 0
  const report = (position: number) => {
    onBytes(position - reported)
    reported = position
  }
  await sendUpload(client.uploads, {
    workspace,
    fileset,
    upload: { path, size: file.size },
    sha256: () => file.sha256(signal),
    read: (start, end) => file.piece(start, end, signal),
    async *stream(start) {
      report(start)
      yield* counted(file.stream(start, signal), (count) => report(reported + count))
    },
    pause,
    signal,
    ...(id === undefined ? {} : { resume: { workspace, fileset, id } }),
    onStart: (upload) => cache.keepUpload(key, upload.id),
    onOffset: report,
  })
  cache.forgetUpload(key)
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of bytes) {
    yield piece
    onBytes(piece.length)
  }
}
