import { sql } from "kysely"
import type { Database } from "@assay/database"
import { recordsOfJob, type JournalRecord } from "./journal-records.ts"

/** A part of a record, in bytes. */
export interface JournalPart {
  readonly seq: number
  readonly start: number
  readonly length: number
}

/** The journal of a job in the database, for readers. */
export interface StoredJournal {
  /** Returns whether the journal has no record. */
  isEmpty(): Promise<boolean>
  /** Reads the records after a number, in order. */
  records(after: number): AsyncIterable<JournalRecord>
  /** Reads parts of records, in the order of `parts`. A part that does not exist is empty. */
  parts(parts: readonly JournalPart[]): Promise<readonly string[]>
}

/** Records that are read in one query. */
const PAGE = 8

/** Opens the journal of a job that one runner runs. */
export function openStoredJournal(database: Database, jobId: string): StoredJournal {
  const records = recordsOfJob(jobId)
  return {
    isEmpty: async () => (await database.read((queries) => records.newest(queries))) === 0,
    async *records(after) {
      for (let last = after; ;) {
        const page = await database.read((queries) => records.after(queries, last, PAGE))
        yield* page
        const end = page.at(-1)
        if (end === undefined) return
        last = end.seq
      }
    },
    async parts(parts) {
      const found = await database.read((queries) =>
        Promise.all(
          parts.map(({ seq, start, length }) =>
            queries
              .selectFrom("evaluation_rows")
              .select(database.dialect.bytesOf(sql.ref("lines"), { start, length }).as("part"))
              .where("job_id", "=", jobId)
              .where("seq", "=", seq)
              .executeTakeFirst(),
          ),
        ),
      )
      return found.map((row) => (row === undefined ? "" : Buffer.from(row.part).toString()))
    },
  }
}
