import { sql } from "kysely"
import type { Database, Queries } from "@assay/database"

/** A record of a journal: several lines. */
export interface JournalRecord {
  /** From 1. */
  readonly seq: number
  readonly lines: string
}

/** A table with the records of one journal. */
export interface JournalRecords {
  /** Returns the number of the newest record; 0 if there is none. */
  newest(queries: Queries): Promise<number>
  /** Returns records after a number, in order. */
  after(queries: Queries, seq: number, limit: number): Promise<readonly JournalRecord[]>
}

/** The records of a journal, for its writer. */
export interface WrittenRecords extends JournalRecords {
  add(queries: Queries, record: JournalRecord): Promise<void>
}

/** Returns the records of a job that one runner runs. */
export function recordsOfJob(jobId: string): WrittenRecords {
  return {
    async newest(queries) {
      const row = await queries
        .selectFrom("evaluation_rows")
        .select("seq")
        .where("job_id", "=", jobId)
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst()
      return row?.seq ?? 0
    },
    async add(queries, record) {
      await queries
        .insertInto("evaluation_rows")
        .values({ job_id: jobId, ...record })
        .execute()
    },
    after: (queries, seq, limit) =>
      queries
        .selectFrom("evaluation_rows")
        .select(["seq", "lines"])
        .where("job_id", "=", jobId)
        .where("seq", ">", seq)
        .orderBy("seq")
        .limit(limit)
        .execute(),
  }
}

/**
 * Adds a record of a shard, in one statement, while a worker has the shard. Returns undefined, and adds nothing, if it does not. Only the
 * shard is locked: workers of a job write at the same time.
 */
export async function addRecordOfShard(
  queries: Queries,
  { dialect }: Database,
  { jobId, shard, worker, record }: AddedRecord,
): Promise<true | undefined> {
  const { seq, lines } = record
  // Written as text: this runs many times a second, and building the query costs more than sending it.
  const { rows } = await sql`insert into evaluation_shard_rows (job_id, shard, seq, lines)
    select job_id, shard, cast(${seq} as bigint), cast(${lines} as text) from evaluation_shards
    where job_id = ${jobId} and shard = ${shard} and worker = ${worker} ${dialect.forChange}
    returning seq`.execute(queries)
  return rows.length === 1 ? true : undefined
}

interface AddedRecord {
  readonly jobId: string
  readonly shard: number
  readonly worker: string
  readonly record: JournalRecord
}

/** Returns the records of a shard that are in no segment yet. */
export function recordsOfShard(jobId: string, shard: number): JournalRecords {
  return {
    async newest(queries) {
      const row = await queries
        .selectFrom("evaluation_shard_rows")
        .select("seq")
        .where("job_id", "=", jobId)
        .where("shard", "=", shard)
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst()
      return row?.seq ?? 0
    },
    after: (queries, seq, limit) =>
      queries
        .selectFrom("evaluation_shard_rows")
        .select(["seq", "lines"])
        .where("job_id", "=", jobId)
        .where("shard", "=", shard)
        .where("seq", ">", seq)
        .orderBy("seq")
        .limit(limit)
        .execute(),
  }
}
