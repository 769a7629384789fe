import { type Outages, readAhead, type Storage } from "@assay/storage"
import type { Database } from "@assay/database"
import { recordsOfShard } from "../journal/journal-records.ts"
import type { JournalBatch } from "../journal/table-journal.ts"
import { groupSegments } from "./group-segments.ts"
import { type FrameSizes, readFacts, readSegment, type Segment } from "./segments.ts"

export interface ShardedJournalContext {
  readonly database: Database
  readonly openDefaultStorage: () => Promise<Storage>
}

/** Readers that outlast outages of the database and of the storage. */
export interface PatientContext extends ShardedJournalContext {
  readonly outages: Outages
}

/** A location with rows of a shard: a segment, or the database. */
export type ShardContent =
  | { readonly kind: "segment"; readonly segment: Segment }
  | { readonly kind: "rows"; readonly shard: number }

/** Records that are read in one query. */
const RECORDS = 8

/** Reads the rows of contents, one after the other, in pieces of whole lines. */
export async function* piecesOf(
  context: PatientContext,
  jobId: string,
  contents: readonly ShardContent[],
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const storage = await context.outages.outlast(context.openDefaultStorage, { signal })
  const read = async (content: ShardContent) => {
    if (content.kind === "rows") return piecesInDatabase(context, jobId, content.shard, signal)
    return context.outages.outlast(() => readSegment(storage, content.segment, signal), { signal })
  }
  for await (const pieces of readAhead(contents, read, signal)) yield* pieces
}

/**
 * Reads the rows of contents in batches. The segments of a batch with facts were written together. Contents without facts that follow
 * each other are one batch.
 */
export async function* batchesOf(
  context: PatientContext,
  jobId: string,
  contents: readonly ShardContent[],
  signal?: AbortSignal,
): AsyncGenerator<JournalBatch, void> {
  const storage = await context.outages.outlast(context.openDefaultStorage, { signal })
  const read = async (group: readonly ShardContent[]): Promise<JournalBatch> => {
    const last = group.at(-1)
    const lines = () => piecesOf(context, jobId, group, signal)
    if (last?.kind !== "segment" || last.segment.facts === undefined) return { lines }
    const facts = await context.outages.outlast(() => readFacts(storage, last.segment, signal), { signal })
    return { facts, lines }
  }
  yield* readAhead(groupSegments(contents, factsOf), read, signal)
}

function factsOf(content: ShardContent): FrameSizes | undefined {
  return content.kind === "segment" ? content.segment.facts : undefined
}

async function* piecesInDatabase(
  { database, outages }: PatientContext,
  jobId: string,
  shard: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const records = recordsOfShard(jobId, shard)
  for (let last = 0; ;) {
    const read = () => database.read((queries) => records.after(queries, last, RECORDS))
    const page = await outages.outlast(read, { signal })
    for (const { lines } of page) yield Buffer.from(lines)
    const end = page.at(-1)
    if (end === undefined) return
    last = end.seq
  }
}
