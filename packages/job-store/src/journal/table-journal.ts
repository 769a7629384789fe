import { setTimeout as pause } from "node:timers/promises"
import { AssayError, isAssayError, type EvaluationRow } from "@assay/schemas"
import type { Outages } from "@assay/storage"
import type { Database } from "@assay/database"
import type { JournalRecord, JournalRecords } from "./journal-records.ts"

/** The journal of a job in the database, with the interface that runners use. Only the holder of the lease writes to it. */
export interface TableJournal {
  /** Adds a row and returns at once. The row is durable after the next `flush`. */
  append(row: EvaluationRow): void
  /** @throws `runner_lost` if the lease is lost */
  flush(): Promise<void>
  /** Waits while many rows are in memory. For callers that append fast. */
  drained(): Promise<void>
  /** Reads the lines of the rows, in pieces of whole lines. */
  bytes(signal?: AbortSignal): AsyncIterable<Buffer>
  /** Reads the same lines in batches, some of which have facts. */
  batches(signal?: AbortSignal): AsyncIterable<JournalBatch>
  close(): Promise<void>
}

/** Lines of a journal that follow each other. */
export interface JournalBatch {
  /** The data that the writer gave with the lines. Absent: nothing. */
  readonly facts?: string | undefined
  /** Reads the lines, in pieces of whole lines. */
  readonly lines: () => AsyncIterable<Buffer>
}

interface TableJournalOptions {
  readonly database: Database
  /** Repeats reads. Writes are repeated for less than the time of a lease in any case. */
  readonly outages: Outages
  readonly jobId: string
  readonly records: Pick<JournalRecords, "newest" | "after">
  /** Adds a record while the lease is held. Returns undefined, and adds nothing, if it is lost. */
  readonly add: (record: JournalRecord) => Promise<true | undefined>
}

/** Milliseconds for which rows are collected before they are written together. */
const COLLECT_MS = 50
/** Characters that are written in one record. */
const RECORD_LENGTH = 256 * 1024
/** Characters that may wait to be written. With more, `drained` waits. */
const MAX_HELD = 16 * RECORD_LENGTH
/** Milliseconds between two attempts to write while the database does not respond. */
const PAUSE_MS = 250
/** Attempts after the first one. */
const RETRIES = 40
/** Records that are read in one query. */
const PAGE = 8

export async function openTableJournal(options: TableJournalOptions): Promise<TableJournal> {
  const { database, outages, records } = options
  const last = await outages.outlast(() => database.read((queries) => records.newest(queries)))
  const writer = createRecordWriter(options, last)
  const bytes = (signal?: AbortSignal) => readBytes(options, signal)

  return {
    append: (row) => writer.append(`${JSON.stringify(row)}\n`),
    flush: writer.flush,
    drained: writer.drained,
    bytes,
    async *batches(signal) {
      yield { lines: () => bytes(signal) }
    },
    close: writer.flush,
  }
}

async function* readBytes(
  { database, outages, records }: TableJournalOptions,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let last = 0
  for (;;) {
    const read = () => database.read((queries) => records.after(queries, last, PAGE))
    const page = await outages.outlast(read, { signal })
    const end = page.at(-1)
    if (end === undefined) return
    last = end.seq
    yield* page.map((record) => Buffer.from(record.lines))
  }
}

/** Collects lines, and writes them as records, one after the other. */
interface RecordWriter {
  readonly append: (line: string) => void
  /** Writes everything. @throws the first error of writing */
  readonly flush: () => Promise<void>
  /** Waits while many lines are in memory. */
  readonly drained: () => Promise<void>
}

/** @param last the number of the newest record */
function createRecordWriter({ database, jobId, add }: TableJournalOptions, last: number): RecordWriter {
  let seq = last
  let lines: string[] = []
  let length = 0
  let held = 0
  let timer: NodeJS.Timeout | undefined
  let fault: unknown
  let writing: Promise<void> = Promise.resolve()

  async function write(text: string): Promise<void> {
    if (fault !== undefined) return
    const record = { seq: seq + 1, lines: text }
    const isWritten = await withRetries(() => add(record), database)
    if (isWritten === undefined) {
      throw new AssayError("runner_lost", `Another runner has taken the job '${jobId}'; this one stops.`)
    }
    seq = record.seq
  }

  /** Writes one record after the other. The first failure is kept for `flush`. */
  function writeCollected(): void {
    clearTimeout(timer)
    timer = undefined
    if (lines.length === 0) return
    const text = lines.join("")
    lines = []
    length = 0
    writing = writing
      .then(() => write(text))
      .catch((error: unknown) => {
        fault ??= error
      })
      .finally(() => {
        held -= text.length
      })
  }

  return {
    append(line) {
      lines.push(line)
      length += line.length
      held += line.length
      if (length >= RECORD_LENGTH) writeCollected()
      else timer ??= setTimeout(writeCollected, COLLECT_MS)
    },
    async flush() {
      writeCollected()
      await writing
      if (fault !== undefined) throw fault
    },
    async drained() {
      if (held > MAX_HELD) await writing
    },
  }
}

/** Retries while the database is unavailable, for less than the time of a lease. */
async function withRetries(insert: () => Promise<true | undefined>, { dialect }: Database): Promise<true | undefined> {
  for (let left = RETRIES; ; left--) {
    try {
      return await insert()
    } catch (error) {
      // Only this writer uses this number: the attempt before succeeded, and only its response was lost.
      if (left < RETRIES && dialect.failureOf(error) === "taken") return true
      if (left === 0 || !isAssayError(error, "unavailable")) throw error
      await pause(PAUSE_MS)
    }
  }
}
