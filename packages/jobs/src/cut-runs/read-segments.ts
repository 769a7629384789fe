import { journalInDatabase } from "@assay/evaluation"
import { readFacts, readSegment } from "@assay/registry"
import type { RowsReader } from "@assay/results"
import { readAhead } from "@assay/storage"
import { readShardRecord, type ShardRecord } from "./shard-record.ts"
import type { RunStore } from "./store/run-store.ts"

/** Reads the published rows of a run, in the order of its tasks and rows. */
export function readSegments(store: RunStore, records: readonly ShardRecord[], tasks: readonly string[]): RowsReader {
  const { storage } = store
  const segments = tasks.flatMap((task) =>
    records.flatMap((record) => record.segments.filter((one) => one.task === task).map(({ segment }) => segment)),
  )
  type Segment = (typeof segments)[number]
  async function* lines(all: readonly Segment[], signal?: AbortSignal): AsyncGenerator<Buffer, void> {
    const read = (segment: Segment) => readSegment(storage, segment, signal)
    for await (const pieces of readAhead(all, read, signal)) yield* pieces
  }
  return journalInDatabase({
    bytes: (signal) => lines(segments, signal),
    async *batches(signal) {
      const read = async (segment: Segment) => ({ segment, facts: await readFacts(storage, segment, signal) })
      for await (const { segment, facts } of readAhead(segments, read, signal)) {
        yield { ...(facts === undefined ? {} : { facts }), lines: () => lines([segment], signal) }
      }
    },
    append() {
      throw new TypeError("The rows of a run that is merged do not change.")
    },
    flush: async () => {},
    drained: async () => {},
    close: async () => {},
  })
}

/** Reads the records of shards. @throws `content_damaged` */
export async function readRecords(store: RunStore, indexes: readonly number[]): Promise<readonly ShardRecord[]> {
  const records: ShardRecord[] = []
  for await (const record of readAhead(indexes, (index) => readShardRecord(store, index))) {
    if (record !== undefined) records.push(record)
  }
  return records
}
