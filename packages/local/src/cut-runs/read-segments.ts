import { journalInDatabase } from "@assay/evaluation"
import { groupSegments, readFacts, readSegment, readSegmentPart } from "@assay/registry"
import type { RowsReader } from "@assay/results"
import { readAhead } from "@assay/storage"
import { type AssayError, isAssayError } from "@assay/schemas/errors"
import { mergeSegments, type SegmentPart } from "./store/merge-segments.ts"
import { readShardRecord, shardDamaged, type ShardRecord, type RunStore } from "@assay/executors"

/** The published rows of a run. */
export interface SegmentRows extends RowsReader {
  /** Returns why the rows of a shard could not be read. A run that counts rows only says that it has failed. */
  readonly damage: () => AssayError | undefined
}

export interface SegmentsOptions {
  readonly records: readonly ShardRecord[]
  /** The tasks in their order. */
  readonly tasks: readonly string[]
  /** The tasks whose rows are dealt to shards in turns, so that the rows of all shards have to be merged. */
  readonly lanes: ReadonlySet<string>
}

/**
 * Reads the published rows of a run, in the order of its tasks and rows. Facts of rows that are dealt to shards in turns have the order of shards.
 */
export function readSegments(store: RunStore, { records, tasks, lanes }: SegmentsOptions): SegmentRows {
  const { storage } = store
  const segmentsOf = (task: string) =>
    records.flatMap(({ index, segments: own }) =>
      own.filter((one) => one.task === task).map(({ segment }) => ({ index, segment })),
    )
  const segments = tasks.flatMap(segmentsOf)
  type ShardSegment = (typeof segments)[number]
  let damage: AssayError | undefined
  const ofShard = async <T>({ index, segment }: ShardSegment, read: () => Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (!isDamage(error)) throw error
      throw (damage ??= shardDamaged(store, index, `${segment.path} does not contain them`, error))
    }
  }
  async function* lines(all: readonly ShardSegment[], signal?: AbortSignal): AsyncGenerator<Buffer, void> {
    // All frames are checked before one of them is passed on.
    const read = (one: ShardSegment) => ofShard(one, async () => [...(await readSegment(storage, one.segment, signal))])
    for await (const pieces of readAhead(all, read, signal)) yield* pieces
  }
  const linesInOrder = (task: string, signal?: AbortSignal): AsyncGenerator<Buffer, void> => {
    const own = segmentsOf(task)
    if (!lanes.has(task)) return lines(own, signal)
    const byShard = [...Map.groupBy(own, ({ index }) => index).values()]
    const read = (one: ShardSegment, part: SegmentPart) =>
      ofShard(one, () => readSegmentPart(storage, one.segment, part))
    return mergeSegments(byShard, read, signal)
  }
  const journal = journalInDatabase({
    async *bytes(signal) {
      for (const task of tasks) yield* linesInOrder(task, signal)
    },
    async *batches(signal) {
      const read = async (group: readonly ShardSegment[]) => {
        const last = group.at(-1)
        const facts = last && (await ofShard(last, () => readFacts(storage, last.segment, signal)))
        return { ...(facts === undefined ? {} : { facts }), lines: () => lines(group, signal) }
      }
      yield* readAhead(
        groupSegments(segments, ({ segment }) => segment.facts),
        read,
        signal,
      )
    },
    append() {
      throw new TypeError("The rows of a run that is merged do not change.")
    },
    flush: async () => {},
    drained: async () => {},
    close: async () => {},
  })
  return { ...journal, damage: () => damage }
}

/** Reads the records of shards. @throws `content_damaged` */
export async function readRecords(store: RunStore, indexes: readonly number[]): Promise<readonly ShardRecord[]> {
  const records: ShardRecord[] = []
  for await (const record of readAhead(indexes, (index) => readRecord(store, index))) records.push(record)
  return records
}

async function readRecord(store: RunStore, index: number): Promise<ShardRecord> {
  const record = await readShardRecord(store, index)
  if (record === undefined) throw shardDamaged(store, index, "it has no record")
  return record
}

/** The error codes of a file that is missing, shorter, or different from what was written. */
const DAMAGE: ReadonlySet<string> = new Set(["not_found", "content_damaged", "range_not_satisfiable"])

function isDamage(error: unknown): boolean {
  return isAssayError(error) && DAMAGE.has(error.code)
}
