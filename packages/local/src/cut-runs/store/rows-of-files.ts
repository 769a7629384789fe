import { open, type FileHandle } from "node:fs/promises"
import { type FileJournal, openFileJournal } from "@assay/evaluation"
import { readRows } from "@assay/results"
import { readSlice, sizeOfWholeLines } from "@assay/storage"

/** Bytes that are read at once. */
const PIECE = 1024 * 1024

interface EarlierRows {
  readonly file: FileHandle
  /** Bytes of whole lines when the file was opened. */
  readonly size: number
}

/**
 * Opens the rows of a shard: those that earlier processes left in files of their own, and then a new file of this process. The earlier files
 * are not changed, also not if their process still runs. Rows that it adds from now on are not read.
 * @param earlier absolute paths, in the order in which they were begun
 * @param own absolute path
 */
export async function openRowsOfFiles(earlier: readonly string[], own: string): Promise<FileJournal> {
  const before: EarlierRows[] = []
  for (const path of earlier) before.push(await openEarlier(path))
  const journal = await openFileJournal(own)
  const sizeBefore = before.reduce((sum, { size }) => sum + size, 0)
  async function* bytes(signal?: AbortSignal): AsyncGenerator<Buffer, void> {
    for (const one of before) yield* piecesOf(one, signal)
    for await (const piece of journal.bytes(signal)) yield Buffer.from(piece)
  }
  return {
    ...journal,
    bytes,
    read: (signal) => readRows(bytes(signal)),
    size: () => sizeBefore + journal.size(),
    async slice(start, end) {
      const parts: Buffer[] = []
      let first = 0
      for (const { file, size } of before) {
        const from = Math.max(0, start - first)
        const to = Math.min(size, end - first)
        if (from < to) parts.push(await readSlice(file, from, to))
        first += size
      }
      if (end > first) parts.push(await journal.slice(Math.max(0, start - first), end - first))
      return Buffer.concat(parts)
    },
    async close() {
      for (const { file } of before) await file.close()
      await journal.close()
    },
  }
}

async function openEarlier(path: string): Promise<EarlierRows> {
  const file = await open(path)
  return { file, size: await sizeOfWholeLines(file) }
}

async function* piecesOf({ file, size }: EarlierRows, signal?: AbortSignal): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < size; at += PIECE) {
    signal?.throwIfAborted()
    yield await readSlice(file, at, Math.min(size, at + PIECE))
  }
}
