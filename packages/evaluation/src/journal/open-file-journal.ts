import { constants } from "node:fs"
import { mkdir, type FileHandle } from "node:fs/promises"
import { dirname } from "node:path"
import { openRegularFile } from "@assay/storage"
import type { Journal } from "./journal.ts"
import { createLineWriter, journalFailure } from "./create-line-writer.ts"
import { readRows } from "./read-rows.ts"

export interface FileJournalOptions {
  /** Whether lines are brought to the disk about once a second and by `flush`. Without that they outlast this process, not a power cut. Default true. */
  readonly sync?: boolean
}

/**
 * A journal in a file of JSON lines, which is made where it is missing, for its owner alone. What was appended is with the system within
 * milliseconds, and with the disk within about a second. A last line that was cut by a crash is removed. One process at a time may have it open.
 * @throws `local_file_failed`; of its `append` and `flush` also `disk_full`, and then whole lines alone are in the file
 */
export async function openFileJournal(path: string, { sync = true }: FileJournalOptions = {}): Promise<Journal> {
  const fail = (cause: unknown): never => {
    throw journalFailure(path, cause)
  }
  const file = await openFile(path).catch(fail)
  const writer = await cutTornLine(file)
    .then((size) => createLineWriter({ file, path, size, sync }))
    .catch(async (cause: unknown) => {
      await file.close()
      return fail(cause)
    })
  const written = (): number => {
    writer.write()
    return writer.size()
  }
  return {
    append: (row) => writer.append(`${JSON.stringify(row)}\n`),
    flush: () => writer.flush(),
    // Lines are handed to the system as they come.
    drained: () => Promise.resolve(),
    async *read(signal) {
      yield* readRows(readBytes(file, written(), signal))
    },
    async *bytes(signal) {
      yield* readBytes(file, written(), signal)
    },
    async close() {
      try {
        await writer.close()
      } finally {
        await file.close()
      }
    },
  }
}

const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT

async function openFile(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true })
  return openRegularFile(path, APPEND, 0o600)
}

const NEWLINE = 10
const TAIL_BYTES = 64 * 1024

/** Removes what stands behind the last line's end of a file; answers with its size then. */
async function cutTornLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const chunk = Buffer.alloc(TAIL_BYTES)
  let end = size
  while (end > 0) {
    const start = Math.max(0, end - TAIL_BYTES)
    const { bytesRead } = await file.read(chunk, 0, end - start, start)
    const newline = chunk.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    end = start + newline + 1
    if (newline !== -1) break
  }
  if (end < size) await file.truncate(end)
  return end
}

const PIECE_BYTES = 1024 * 1024

/** The first `size` bytes of a file, in pieces of up to a mebibyte that are the reader's own. */
async function* readBytes(file: FileHandle, size: number, signal?: AbortSignal): AsyncGenerator<Buffer, void> {
  let position = 0
  while (position < size) {
    signal?.throwIfAborted()
    const chunk = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - position))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}
