import { createHash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import { createPieceBatch } from "./piece-batch.ts"

/** Number of bytes after which the disk is told to start writing, so that the last wait is short. */
const SYNC_EVERY = 67_108_864

interface WriteBytesOptions {
  /**
   * Number of bytes that are collected before a write. Memory holds twice as many: one part is filled while the other
   * is written.
   */
  readonly bufferSize: number
  /** Whether to resolve only when every byte is on the disk. */
  readonly durable: boolean
  /** Wraps calls to the disk, so that their errors can be distinguished from errors of the source. */
  readonly onDisk: <T>(work: () => Promise<T>) => Promise<T>
}

/** Writes `bytes` into an empty file and computes their SHA-256 while the disk works. */
export async function writeBytes(
  bytes: AsyncIterable<Uint8Array>,
  file: FileHandle,
  options: WriteBytesOptions,
): Promise<{ size: number; sha256: string }> {
  const { bufferSize, durable, onDisk } = options
  const hash = createHash("sha256")
  const batch = createPieceBatch()
  let size = 0
  let unsynced = 0
  let writing = Promise.resolve()
  let syncing = Promise.resolve()

  async function flush(): Promise<void> {
    unsynced += batch.byteLength
    await writing
    const pieces = batch.take()
    writing = onDisk(() => writePieces(file, pieces))
    writing.catch(() => {})
    if (!durable || unsynced < SYNC_EVERY) return
    unsynced = 0
    await syncing
    syncing = writing.then(() => onDisk(() => file.datasync()))
    syncing.catch(() => {})
  }

  for await (const piece of bytes) {
    hash.update(piece)
    size += piece.byteLength
    batch.add(piece)
    if (batch.byteLength >= bufferSize) await flush()
  }
  await flush()
  await writing
  await syncing
  if (durable) await onDisk(() => file.sync())
  return { size, sha256: hash.digest("hex") }
}

/** The part of a file handle that is used here. */
export interface PieceWriter {
  writev(pieces: readonly Uint8Array[]): Promise<{ readonly bytesWritten: number }>
}

/** Appends all of `pieces`. The system may write fewer bytes per call than it is given. */
export async function writePieces(file: PieceWriter, pieces: readonly Uint8Array[]): Promise<void> {
  let rest = pieces
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest)
    rest = dropBytes(rest, bytesWritten)
  }
}

function dropBytes(pieces: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let left = count
  for (const [index, piece] of pieces.entries()) {
    if (left < piece.byteLength) return [piece.subarray(left), ...pieces.slice(index + 1)]
    left -= piece.byteLength
  }
  return []
}
