import { type Outages, readAhead, type Storage } from "@assay/storage"
import type { Database } from "../../database/database.ts"
import { recordsOfShard } from "../journal-records.ts"
import type { JournalBatch } from "../table-journal.ts"
import { readFacts, readSegment, type Segment } from "./segments.ts"

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
    if (last === undefined || !hasFacts(last)) return { lines }
    const facts = await context.outages.outlast(() => readFacts(storage, last.segment, signal), { signal })
    return { facts, lines }
  }
  yield* readAhead(groupContents(contents), read, signal)
}

function hasFacts(content: ShardContent): content is Extract<ShardContent, { kind: "segment" }> {
  return content.kind === "segment" && content.segment.facts !== undefined
}

function groupContents(contents: readonly ShardContent[]): readonly (readonly ShardContent[])[] {
  const groups: ShardContent[][] = []
  let previous: ShardContent | undefined
  for (const content of contents) {
    const isOpen =
      previous !== undefined &&
      hasFacts(previous) === hasFacts(content) &&
      // The facts of segments that were written together are in the last one.
      (!hasFacts(previous) || previous.segment.facts?.[1] === 0)
    if (isOpen) groups.at(-1)?.push(content)
    else groups.push([content])
    previous = content
  }
  return groups
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
