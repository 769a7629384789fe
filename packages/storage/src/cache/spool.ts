import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { open } from "node:fs/promises"
import type { LocalContext } from "../local/context.ts"
import { createTemporaryFile, type TemporaryFile } from "../local/writing/temporary-file.ts"
import { createPieceBatch, writePieces } from "../local/writing/write-bytes.ts"
import type { ReadResult } from "../storage.ts"

/** A temporary file that is appended to and read at the same time. */
export interface Spool {
  readonly temporary: TemporaryFile
  append(pieces: readonly Uint8Array[]): Promise<void>
  /** Fills `into` with bytes that were appended before, from `start`. */
  read(start: number, into: Uint8Array): Promise<void>
  /** Ends reading. The file is not removed. */
  close(): Promise<void>
}

type SpoolContext = Pick<LocalContext, "root" | "newId" | "durable" | "locks">

/** Creates an empty spool in `folder` below the root. */
export async function openSpool(context: SpoolContext, folder: string): Promise<Spool> {
  const temporary = await createTemporaryFile(context, folder)
  try {
    const reading = await open(temporary.folder.at(temporary.name), constants.O_RDONLY | constants.O_NOFOLLOW)
    return {
      temporary,
      append: (pieces) => writePieces(temporary.file, pieces),
      async read(start, into) {
        for (let filled = 0; filled < into.byteLength;) {
          const { bytesRead } = await reading.read(into, filled, into.byteLength - filled, start + filled)
          if (bytesRead === 0) throw new RangeError("The spool is shorter than what was appended to it.")
          filled += bytesRead
        }
      },
      close: () => reading.close(),
    }
  } catch (error) {
    await temporary.discard()
    throw error
  }
}

/** Number of bytes that wait for the disk before the source has to wait. */
const MAX_WAITING = 4_194_304

interface SpoolContent {
  readonly size: number
  /** SHA-256, lower-case hex. */
  readonly sha256: string
}

/**
 * Appends the bytes of a read to `spool`. Pieces that arrive while the disk is busy are written together afterwards.
 * `onWritten` is called with the number of bytes in the spool.
 */
export async function appendToSpool(
  { file, bytes, release }: ReadResult,
  spool: Spool,
  onWritten: (size: number) => void,
): Promise<SpoolContent> {
  const hash = createHash("sha256")
  const batch = createPieceBatch()
  let pieces: Uint8Array[] = []
  let size = 0
  let written = 0
  let isWriting = false
  let writing = Promise.resolve()

  async function writeAll(): Promise<void> {
    isWriting = true
    while (batch.byteLength > 0) {
      const { byteLength } = batch
      const taken = pieces
      pieces = []
      await spool.append(batch.take())
      for (const piece of taken) release?.(piece)
      written += byteLength
      onWritten(written)
    }
    isWriting = false
  }

  for await (const piece of bytes) {
    // If the digest is known, the adapter has verified the bytes.
    if (file.sha256 === null) hash.update(piece)
    size += piece.byteLength
    batch.add(piece)
    pieces.push(piece)
    if (!isWriting) {
      writing = writeAll()
      writing.catch(() => {})
    }
    if (batch.byteLength >= MAX_WAITING) await writing
  }
  await writing
  return { size, sha256: file.sha256 ?? hash.digest("hex") }
}
