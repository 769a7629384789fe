import { createHash } from "node:crypto"
import { createPieceBatch } from "../local/writing/piece-batch.ts"
import type { ReadResult } from "../storage.ts"
import type { Spool } from "./spool.ts"

/** Bytes that wait for the disk before the source has to. */
const MAX_WAITING = 4_194_304

export interface Poured {
  readonly size: number
  /** SHA-256, lower-case hex. */
  readonly sha256: string
}

/**
 * Appends what is read to `spool`: what comes while the disk is busy is written at one go afterwards, so that nothing
 * waits to be gathered. `onWritten` is told how many bytes are in the spool.
 */
export async function pourIntoSpool(
  { file, bytes, release }: ReadResult,
  spool: Spool,
  onWritten: (size: number) => void,
): Promise<Poured> {
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
    // A digest that is known beforehand is compared by the adapter, which gives no other bytes.
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
