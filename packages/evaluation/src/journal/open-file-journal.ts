import { constants, existsSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { dirname } from "node:path"
import { createFolder, openRegularFile, readSlice, sizeOfWholeLines, syncFolder } from "@assay/storage"
import { collectAppendedFacts, MAX_FACTS_LENGTH } from "./appended-facts.ts"
import { createLineWriter, journalFailure } from "./create-line-writer.ts"
import type { FileJournal } from "./journal.ts"
import { readRows } from "@assay/results"

export interface FileJournalOptions {
  /** Whether lines are written to the disk once a second and by `flush`. Without it, they survive the end of this process but not a power cut. Default true. */
  readonly sync?: boolean | undefined
  /**
   * Whether numbers, scores and errors of appended rows stay in memory, up to about 50 MB, so that results are written without parsing the
   * rows again. Default false: a server runs several jobs.
   */
  readonly keepsFacts?: boolean | undefined
}

/**
 * Opens a journal in a file of JSON lines. A missing file is created, readable only for its owner. Appended rows reach the operating
 * system within milliseconds and the disk within about a second. A last line that was cut off by a crash is removed. Only one process
 * at a time may have it open.
 * @throws `local_file_failed`; `append` and `flush` also throw `disk_full`, after which the file contains only whole lines
 */
export async function openFileJournal(
  path: string,
  { sync = true, keepsFacts = false }: FileJournalOptions = {},
): Promise<FileJournal> {
  const fail = (cause: unknown): never => {
    throw journalFailure(path, cause)
  }
  const file = await openFile(path, sync).catch(fail)
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
  const read = (signal?: AbortSignal) => readRows(readBytes(file, written(), signal))
  const appended = writer.size() === 0 ? collectAppendedFacts(keepsFacts ? MAX_FACTS_LENGTH : 0) : undefined
  return {
    append(row) {
      writer.append(`${JSON.stringify(row)}\n`)
      appended?.add(row)
    },
    flush: () => writer.flush(),
    // Nothing to wait for: `append` already slows down a fast caller.
    drained: () => Promise.resolve(),
    async *read(signal) {
      yield* read(signal)
    },
    async *readFacts(fields, signal) {
      writer.write()
      const known = fields.length > 0 || writer.hasFailed() ? undefined : appended?.rows()
      yield* known ?? read(signal)
    },
    isInOrder(tasks) {
      writer.write()
      return !writer.hasFailed() && appended?.areInOrder(tasks) === true
    },
    async *bytes(signal) {
      yield* readBytes(file, written(), signal)
    },
    size: written,
    slice: (start, end) => readSlice(file, start, Math.min(end, written())),
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

async function openFile(path: string, durable: boolean): Promise<FileHandle> {
  await createFolder(dirname(path), { durable })
  const isNew = !existsSync(path)
  const file = await openRegularFile(path, APPEND, 0o600)
  if (durable && isNew) await syncFolder(dirname(path))
  return file
}

/** Removes everything after the last line end of a file. Returns the new size. */
async function cutTornLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const end = await sizeOfWholeLines(file)
  if (end < size) await file.truncate(end)
  return end
}

const PIECE_BYTES = 1024 * 1024

/** Reads the first `size` bytes of a file in pieces of at most 1 MiB. Each piece has its own memory. */
async function* readBytes(file: FileHandle, size: number, signal?: AbortSignal): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < size; at += PIECE_BYTES) {
    signal?.throwIfAborted()
    yield await readSlice(file, at, Math.min(size, at + PIECE_BYTES))
  }
}
