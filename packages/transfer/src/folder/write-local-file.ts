import { createHash, hash, type Hash } from "node:crypto"
import { chmodSync, closeSync, constants, lstatSync, renameSync, rmSync, writeSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { sep } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { nameOf, openRegularFile, openRegularFileSync, writeBytes } from "@assay/storage"
import { LARGE_FILE_BYTES, SMALL_FILE_BYTES, type TransferFile } from "../sides/transfer-side.ts"

// Never write through a link that somebody put instead of the partial file.
const NOT_THROUGH_LINKS = constants.O_NOFOLLOW ?? 0
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NOT_THROUGH_LINKS
const KEPT = constants.O_RDWR | constants.O_CREAT | NOT_THROUGH_LINKS
const PERMISSIONS = 0o777
const CHUNK_BYTES = 1_048_576

/**
 * Writes `file` into `folder`: first to a partial file, which is renamed when it is complete and its digest is right. A file
 * that is replaced keeps its permissions. If a large file is interrupted, the partial file stays, and a later run resumes it.
 */
export async function writeLocalFile(
  file: TransferFile,
  folder: string,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const partial = `${folder}${sep}${partialName(file.path, file.version)}`
  const targetPath = `${folder}${sep}${nameOf(file.path)}`
  const target = { file, partial, onBytes, signal }
  try {
    await (file.size <= SMALL_FILE_BYTES ? writeWhole(target) : writeStream(target))
    const before = lstatSync(targetPath, { throwIfNoEntry: false })
    if (before?.isFile() === true) chmodSync(partial, before.mode & PERMISSIONS)
    renameSync(partial, targetPath)
  } catch (error) {
    if (file.size < LARGE_FILE_BYTES || isSpoiled(error)) rmSync(partial, { force: true })
    throw error
  }
}

interface PartialTarget {
  readonly file: TransferFile
  readonly partial: string
  readonly onBytes: (count: number) => void
  readonly signal: AbortSignal
}

async function writeWhole({ file, partial, onBytes, signal }: PartialTarget): Promise<void> {
  const bytes = await file.piece(0, file.size, signal)
  checkDigest(file, hash("sha256", bytes, "hex"), await file.sha256(signal))
  const descriptor = openRegularFileSync(partial, NEW)
  try {
    for (let length = 0; length < bytes.length;) length += writeSync(descriptor, bytes, length)
  } finally {
    closeSync(descriptor)
  }
  onBytes(bytes.length)
}

async function writeStream({ file, partial, onBytes, signal }: PartialTarget): Promise<void> {
  const hash = createHash("sha256")
  await using handle = await openRegularFile(partial, KEPT)
  const position = await keepBeginning(handle, file, hash)
  onBytes(position)
  async function* received(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of file.stream(position, signal)) {
      signal.throwIfAborted()
      onBytes(chunk.length)
      yield chunk
    }
  }
  const options = { bufferSize: CHUNK_BYTES, durable: false, disposable: true, hash, onDisk: runOnDisk }
  const { sha256 } = await writeBytes(received(), writerAt(handle, position), options)
  checkDigest(file, sha256, await file.sha256(signal))
}

const runOnDisk = <T>(work: () => Promise<T>): Promise<T> => work()

/** Returns a file that is written from a position on. */
function writerAt(handle: FileHandle, start: number): Parameters<typeof writeBytes>[1] {
  let position = start
  return {
    async writev(pieces) {
      const { bytesWritten } = await handle.writev(pieces, position)
      position += bytesWritten
      return { bytesWritten }
    },
    datasync: () => handle.datasync(),
    sync: () => handle.sync(),
  }
}

/** Returns the number of bytes that an earlier run left, and adds them to the digest. */
async function keepBeginning(handle: FileHandle, { size }: TransferFile, sum: Hash): Promise<number> {
  const { size: left } = await handle.stat()
  if (size < LARGE_FILE_BYTES || left > size) {
    await handle.truncate()
    return 0
  }
  const chunk = new Uint8Array(CHUNK_BYTES)
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return position
    sum.update(chunk.subarray(0, bytesRead))
    position += bytesRead
  }
}

function checkDigest({ path }: TransferFile, computed: string, expected: string | null): void {
  if (expected === null || computed === expected) return
  const message = `'${printable(path)}' arrived with other bytes than the ones that its SHA-256 belongs to.`
  throw new AssayError("checksum_mismatch", message, { context: { path, computed, expected } })
}

/** Returns whether the bytes of the partial file are of no use for another attempt. */
function isSpoiled(error: unknown): boolean {
  return error instanceof AssayError && error.code === "checksum_mismatch"
}

const SHAPE = /^\.[0-9a-f]{32}\.assay-partial$/

/**
 * Returns the name of the file that holds the bytes until the file is complete, in the same folder. Each path and version has
 * its own name, so that a later run finds the bytes of an earlier one. The length does not depend on the path.
 */
export function partialName(path: string, version: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([path, version]))
    .digest("hex")
  return `.${digest.slice(0, 32)}.assay-partial`
}

/** Returns whether a name is the name of a partial file. Partial files are never sent, and deleted after a complete transfer. */
export function isPartialName(name: string): boolean {
  return SHAPE.test(name)
}
