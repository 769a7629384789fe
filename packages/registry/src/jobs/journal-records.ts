import type { Queries } from "../database/database.ts"

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
  add(queries: Queries, record: JournalRecord): Promise<void>
  /** Returns records after a number, in order. */
  after(queries: Queries, seq: number, limit: number): Promise<readonly JournalRecord[]>
}

/** The records of a job that one runner runs. */
export function recordsOfJob(jobId: string): JournalRecords {
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

/** The records of a shard that are in no segment yet. */
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
    async add(queries, record) {
      await queries
        .insertInto("evaluation_shard_rows")
        .values({ job_id: jobId, shard, ...record })
        .execute()
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
