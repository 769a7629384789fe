import { setTimeout as pause } from "node:timers/promises"
import { AssayError, isAssayError, parseJsonExactly, type EvaluationRow } from "@assay/schemas"
import type { Database, Queries } from "../database/database.ts"

/** The journal of a job in the database, in the shape that runners take. Only who has the lease of the job writes it. */
export interface TableJournal {
  /** Takes a row; it is safe when a later `flush` has ended. Returns at once. */
  append(row: EvaluationRow): void
  /** @throws `runner_lost` where the lease was lost */
  flush(): Promise<void>
  /** Waits while much is held in memory, for whoever appends fast. */
  drained(): Promise<void>
  read(signal?: AbortSignal): AsyncIterable<readonly EvaluationRow[]>
  bytes(signal?: AbortSignal): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

interface TableJournalOptions {
  readonly database: Database
  readonly jobId: string
  /** Answers undefined, and does nothing, where the lease is lost. */
  readonly whileHeld: <T>(work: (queries: Queries) => Promise<T>) => Promise<T | undefined>
}

/** Milliseconds in which rows gather before they are written together. */
const GATHER_MS = 50
/** Characters that are written at once. */
const RECORD_LENGTH = 256 * 1024
/** Characters that may wait to be written before who appends has to. */
const MAX_HELD = 16 * RECORD_LENGTH
/** Milliseconds between two tries to write while the database does not answer, and how many follow the first. */
const PAUSE_MS = 250
const TRIES = 40
/** Records that are read at once. */
const PAGE = 8

export async function openTableJournal({ database, jobId, whileHeld }: TableJournalOptions): Promise<TableJournal> {
  const newest = await database.read((queries) =>
    queries
      .selectFrom("evaluation_rows")
      .select("seq")
      .where("job_id", "=", jobId)
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst(),
  )
  let seq = newest?.seq ?? 0
  let lines: string[] = []
  let length = 0
  let held = 0
  let timer: NodeJS.Timeout | undefined
  let fault: unknown
  let writing: Promise<void> = Promise.resolve()

  async function write(text: string): Promise<void> {
    if (fault !== undefined) return
    const row = { job_id: jobId, seq: seq + 1, lines: text }
    const insert = () => whileHeld((queries) => queries.insertInto("evaluation_rows").values(row).execute())
    const written = await patiently(insert, database)
    if (written === undefined) {
      throw new AssayError("runner_lost", `Another runner has taken up the job '${jobId}'; this one stops.`)
    }
    seq = row.seq
  }

  /** One record after the other; the first failure is kept for whoever asks that all is safe. */
  function writeGathered(): void {
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

  async function flush(): Promise<void> {
    writeGathered()
    await writing
    if (fault !== undefined) throw fault
  }

  async function* records(signal?: AbortSignal): AsyncGenerator<readonly string[]> {
    let last = 0
    for (;;) {
      signal?.throwIfAborted()
      const page = await readPage(database, jobId, last)
      const end = page.at(-1)
      if (end === undefined) return
      last = end.seq
      yield page.map((record) => record.lines)
    }
  }

  return {
    append(row) {
      const line = `${JSON.stringify(row)}\n`
      lines.push(line)
      length += line.length
      held += line.length
      if (length >= RECORD_LENGTH) writeGathered()
      else timer ??= setTimeout(writeGathered, GATHER_MS)
    },

    flush,

    async drained() {
      if (held > MAX_HELD) await writing
    },

    async *read(signal) {
      for await (const page of records(signal)) {
        for (const text of page)
          yield text
            .trimEnd()
            .split("\n")
            .map((line) => parseJsonExactly(line) as EvaluationRow)
      }
    },

    async *bytes(signal) {
      for await (const page of records(signal)) yield* page.map((text) => Buffer.from(text))
    },

    close: flush,
  }
}

/** Bears a database that is away for less than a lease: whoever holds that loses nothing meanwhile. */
async function patiently<T>(insert: () => Promise<T>, { dialect }: Database): Promise<T | readonly []> {
  for (let left = TRIES; ; left--) {
    try {
      return await insert()
    } catch (error) {
      // The number is this writer's own: the try before has come through, and only its answer was lost.
      if (left < TRIES && dialect.failureOf(error) === "taken") return []
      if (left === 0 || !isAssayError(error, "unavailable")) throw error
      await pause(PAUSE_MS)
    }
  }
}

function readPage(database: Database, jobId: string, after: number) {
  return database.read((queries) =>
    queries
      .selectFrom("evaluation_rows")
      .select(["seq", "lines"])
      .where("job_id", "=", jobId)
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(PAGE)
      .execute(),
  )
}
