import type { SegmentTable } from "@assay/database"
import type { StoredJournal } from "../journal/stored-journal.ts"
import type { TableJournal } from "../journal/table-journal.ts"
import {
  batchesOf,
  type PatientContext,
  piecesOf,
  type ShardContent,
  type ShardedJournalContext,
} from "./read-contents.ts"
import { readSegment, readSegmentPart, type Segment } from "./segments.ts"

/** Returns the folder of a job's segments on the default storage, with a slash at its end. */
export function journalFolder(jobId: string): string {
  return `jobs/${jobId}/`
}

/** Returns whether a job is cut into shards. */
export async function isSharded({ database }: ShardedJournalContext, jobId: string): Promise<boolean> {
  const row = await database.read((queries) =>
    queries.selectFrom("evaluation_sharded_jobs").select("job_id").where("job_id", "=", jobId).executeTakeFirst(),
  )
  return row !== undefined
}

type Readable = Pick<TableJournal, "bytes" | "batches">

/** Segments in one query. */
const PAGE = 100

/** Reads the journal of one shard: its segments, and then the rows that are still in the database. */
export function readShard(context: PatientContext, jobId: string, shard: number): Readable {
  return {
    async *bytes(signal) {
      yield* piecesOf(context, jobId, await listContents(context, jobId, { shards: [shard], signal }), signal)
    },
    async *batches(signal) {
      yield* batchesOf(context, jobId, await listContents(context, jobId, { shards: [shard], signal }), signal)
    },
  }
}

/** Reads the journals of all shards of a job, in the order of its tasks and rows. */
export function openShardedJournal(context: PatientContext, jobId: string): Readable {
  return {
    async *bytes(signal) {
      for await (const page of pagesOfContents(context, jobId, signal)) yield* piecesOf(context, jobId, page, signal)
    },
    async *batches(signal) {
      for await (const page of pagesOfContents(context, jobId, signal)) yield* batchesOf(context, jobId, page, signal)
    },
  }
}

async function* pagesOfContents(
  context: PatientContext,
  jobId: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly ShardContent[], void> {
  const { database, outages } = context
  for (let next = 0; ;) {
    const read = () =>
      database.read((queries) =>
        queries
          .selectFrom("evaluation_shards")
          .select("shard")
          .where("job_id", "=", jobId)
          .where("shard", ">=", next)
          .orderBy("shard")
          .limit(PAGE)
          .execute(),
      )
    const rows = await outages.outlast(read, { signal })
    const last = rows.at(-1)
    if (last === undefined) return
    yield await listContents(context, jobId, { shards: rows.map(({ shard }) => shard), signal })
    next = last.shard + 1
  }
}

/** Lists where the rows of some shards are, in their order. */
async function listContents(
  { database, outages }: PatientContext,
  jobId: string,
  { shards, signal }: { readonly shards: readonly number[]; readonly signal?: AbortSignal | undefined },
): Promise<readonly ShardContent[]> {
  const listed = () =>
    database.read((queries) =>
      Promise.all([
        queries
          .selectFrom("evaluation_segments")
          .select(["shard", ...SEGMENT_COLUMNS])
          .where("job_id", "=", jobId)
          .where("shard", "in", shards)
          .orderBy("shard")
          .orderBy("seq")
          .execute(),
        queries
          .selectFrom("evaluation_shard_rows")
          .select("shard")
          .distinct()
          .where("job_id", "=", jobId)
          .where("shard", "in", shards)
          .execute(),
      ]),
    )
  const [segments, open] = await outages.outlast(listed, { signal })
  const hasRows = new Set(open.map(({ shard }) => shard))
  const ofShard = Map.groupBy(segments, ({ shard }) => shard)
  return shards.flatMap((shard): readonly ShardContent[] => [
    ...(ofShard.get(shard) ?? []).map((row) => ({ kind: "segment" as const, segment: segmentOf(row) })),
    ...(hasRows.has(shard) ? [{ kind: "rows" as const, shard }] : []),
  ])
}

/** Opens the journal of a sharded job for readers. Its records are its segments, so rows appear when their shard is done. */
export function openStoredSegments(context: ShardedJournalContext, jobId: string): StoredJournal {
  const { database, openDefaultStorage } = context
  const page = (after: number) =>
    database.read((queries) =>
      queries
        .selectFrom("evaluation_segments")
        .select(["seq", ...SEGMENT_COLUMNS])
        .where("job_id", "=", jobId)
        .where("seq", ">", after)
        .orderBy("seq")
        .limit(PAGE)
        .execute(),
    )
  return {
    isEmpty: async () => (await page(0)).length === 0,
    async *records(after) {
      const storage = await openDefaultStorage()
      for (let last = after; ;) {
        const rows = await page(last)
        for (const row of rows) {
          const pieces = await readSegment(storage, segmentOf(row))
          yield { seq: row.seq, lines: Buffer.concat([...pieces]).toString() }
          last = row.seq
        }
        if (rows.length === 0) return
      }
    },
    async parts(parts) {
      const storage = await openDefaultStorage()
      const seqs = [...new Set(parts.map(({ seq }) => seq))]
      const rows = await database.read((queries) =>
        queries
          .selectFrom("evaluation_segments")
          .select(["seq", ...SEGMENT_COLUMNS])
          .where("job_id", "=", jobId)
          .where("seq", "in", seqs)
          .execute(),
      )
      const segments = new Map(rows.map((row) => [row.seq, segmentOf(row)]))
      return Promise.all(
        parts.map(async ({ seq, ...part }) => {
          const segment = segments.get(seq)
          return segment === undefined ? "" : readSegmentPart(storage, segment, part)
        }),
      )
    },
  }
}

const SEGMENT_COLUMNS = ["path", "frames", "facts"] as const

function segmentOf({ path, frames, facts }: Pick<SegmentTable, (typeof SEGMENT_COLUMNS)[number]>): Segment {
  const sizes: Segment["facts"] = facts === null ? undefined : JSON.parse(facts)
  return { path, frames: JSON.parse(frames), facts: sizes }
}
