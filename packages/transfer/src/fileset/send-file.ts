import { hash } from "node:crypto"
import { sendUpload, type Client } from "@assay/client"
import type { FileAddress } from "../file-address.ts"
import type { TransferCache } from "../sides/transfer-cache.ts"
import { LARGE_FILE_BYTES, SMALL_FILE_BYTES, type TransferFile } from "../sides/transfer-side.ts"

export interface SendFileOptions {
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
  const sha256 = await file.sha256(signal)
  let reported = 0
  await sendUpload(client.uploads, {
    workspace,
    fileset,
    upload: { path, size: file.size, ...(sha256 === null ? {} : { sha256 }) },
    read: (start, end) => file.piece(start, end, signal),
    pause,
    signal,
    ...(id === undefined ? {} : { resume: { workspace, fileset, id } }),
    onStart: (upload) => cache.keepUpload(key, upload.id),
    onOffset: (offset) => {
      onBytes(offset - reported)
      reported = offset
    },
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
