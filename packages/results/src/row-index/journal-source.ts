import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import type { StoredJournal } from "@assay/job-store"
import type { EvaluationRow } from "@assay/schemas"
import { openRegularFile } from "@assay/storage"
import { readRows } from "../rows/read-rows.ts"
import type { JournalPiece, JournalPosition } from "./table/journal-position.ts"
import type { LineRange } from "./table/row-table.ts"

/** Reads the journal of a job while its runner writes it. */
export interface JournalSource {
  /** Returns whether there are no bytes. */
  isEmpty(): Promise<boolean>
  /** Reads whole lines after a position, in pieces that follow each other. */
  pieces(after: JournalPosition): AsyncIterable<JournalPiece>
  /** Reads lines at ranges, in the order of the ranges. A line that is gone is empty. */
  lines(ranges: readonly LineRange[]): Promise<readonly string[]>
}

/** The lines of a job's rows, and the index of them. */
export interface RowLines {
  readonly job: string
  readonly source: JournalSource
  /** The folder of the index. Only this process may use it. */
  readonly folder: string
}

/** Reads all rows of a journal, in batches. */
export function sourceRows(source: Pick<JournalSource, "pieces">): AsyncIterable<readonly EvaluationRow[]> {
  return readRows(bytesOf(source))
}

async function* bytesOf(source: Pick<JournalSource, "pieces">): AsyncGenerator<Buffer> {
  for await (const { bytes } of source.pieces({ record: 0, offset: 0 })) yield Buffer.from(bytes)
}

/** Reads a journal in the database. A record is a piece. */
export function tableJournalSource(journal: StoredJournal): JournalSource {
  return {
    isEmpty: () => journal.isEmpty(),
    async *pieces({ record }) {
      for await (const { seq, lines } of journal.records(record)) {
        yield { record: seq, offset: 0, bytes: Buffer.from(lines) }
      }
    },
    lines: (ranges) => journal.parts(ranges.map(({ record, start, length }) => ({ seq: record, start, length }))),
  }
}

/** Reads a journal in a file. A missing file is a journal without rows. */
export function fileJournalSource(path: string): JournalSource {
  return {
    async isEmpty() {
      const file = await openJournalFile(path)
      if (file === undefined) return true
      try {
        return (await file.stat()).size === 0
      } finally {
        await file.close()
      }
    },
    async *pieces({ offset }) {
      const file = await openJournalFile(path)
      if (file === undefined) return
      try {
        yield* readPieces(file, offset)
      } finally {
        await file.close()
      }
    },
    async lines(ranges) {
      const file = await openJournalFile(path)
      if (file === undefined) return ranges.map(() => "")
      try {
        return await Promise.all(ranges.map((range) => readLine(file, range)))
      } finally {
        await file.close()
      }
    },
  }
}

async function openJournalFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await openRegularFile(path, constants.O_RDONLY)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

const PIECE_BYTES = 1024 * 1024
const NEWLINE = 10

/** Reads pieces of about 1 MiB that end with a line. A longer line makes its piece longer. */
async function* readPieces(file: FileHandle, from: number): AsyncGenerator<JournalPiece, void, undefined> {
  let offset = from
  let room = PIECE_BYTES
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(room), 0, room, offset)
    const end = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield { record: 0, offset, bytes: buffer.subarray(0, end) }
      offset += end
      room = PIECE_BYTES
    } else if (bytesRead === room) room *= 2
    else return
  }
}

async function readLine(file: FileHandle, { start, length }: LineRange): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start)
  return buffer.toString("utf8", 0, bytesRead)
}
