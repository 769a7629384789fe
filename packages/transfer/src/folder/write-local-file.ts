import { createHash, type Hash } from "node:crypto"
import { chmodSync, closeSync, constants, lstatSync, renameSync, rmSync, writeSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { sep } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { openRegularFile, openRegularFileSync } from "@assay/storage/paths"
import { printable } from "../output/printable.ts"
import { digestBytes } from "./digest-bytes.ts"
import { partialName } from "./partial-file.ts"
import { nameOf } from "./split-path.ts"
import { LARGE_FILE_BYTES, SMALL_FILE_BYTES, type TransferFile } from "./transfer-side.ts"

// A link put in the place of the unfinished file must not be written through.
const NOT_THROUGH_LINKS = constants.O_NOFOLLOW ?? 0
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NOT_THROUGH_LINKS
const KEPT = constants.O_RDWR | constants.O_CREAT | NOT_THROUGH_LINKS
const PERMISSIONS = 0o777
const CHUNK_BYTES = 1_048_576

/**
 * Puts `file` into `folder`: first under a name of its own, then, whole and with the right digest, in its place. What
 * was there keeps its permissions. An unfinished large file stays for a later run to go on with.
 */
export async function writeLocalFile(
  file: TransferFile,
  folder: string,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const partial = `${folder}${sep}${partialName(file.path, file.version)}`
  const place = `${folder}${sep}${nameOf(file.path)}`
  const target = { file, partial, onBytes, signal }
  try {
    await (file.size <= SMALL_FILE_BYTES ? writeWhole(target) : writeStream(target))
    const before = lstatSync(place, { throwIfNoEntry: false })
    if (before?.isFile() === true) chmodSync(partial, before.mode & PERMISSIONS)
    renameSync(partial, place)
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
  checkDigest(file, digestBytes(bytes), await file.sha256(signal))
  const descriptor = openRegularFileSync(partial, NEW)
  try {
    for (let length = 0; length < bytes.length;) length += writeSync(descriptor, bytes, length)
  } finally {
    closeSync(descriptor)
  }
  onBytes(bytes.length)
}

async function writeStream({ file, partial, onBytes, signal }: PartialTarget): Promise<void> {
  const sum = createHash("sha256")
  await using handle = await openRegularFile(partial, KEPT)
  let position = await keepBeginning(handle, file, sum)
  onBytes(position)
  for await (const chunk of file.stream(position, signal)) {
    signal.throwIfAborted()
    for (let length = 0; length < chunk.length;) {
      const { bytesWritten } = await handle.write(chunk, length, chunk.length - length, position)
      length += bytesWritten
      position += bytesWritten
    }
    sum.update(chunk)
    onBytes(chunk.length)
  }
  checkDigest(file, sum.digest("hex"), await file.sha256(signal))
}

/** How much of the file an earlier run left; its bytes are counted into the digest. */
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

/** Whether the bytes that are there are of no use for another try. */
function isSpoiled(error: unknown): boolean {
  return error instanceof AssayError && error.code === "checksum_mismatch"
}
