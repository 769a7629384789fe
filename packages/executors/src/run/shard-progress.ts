import { Type, type Static } from "@sinclair/typebox"
import { createChangedFiles } from "./changed-files.ts"
import { listFiles, readRecord, type RunStore, runFiles, valuesByShard, writeJson } from "./run-store.ts"

const Count = Type.Number({ minimum: 0 })
const ShardProgress = Type.Object({
  /** The attempt of the process that wrote them, from 1: one more than the number of the last failure before it. */
  attempt: Type.Integer({ minimum: 1 }),
  processed: Count,
  /** Those that sent requests. */
  asked: Count,
  failed: Count,
  /** The failed rows that this attempt does not ask again. */
  standing: Type.Optional(Count),
  tokens: Type.Object({ prompt: Count, completion: Count, unsplit: Count, uncounted: Count }),
  /** The machine or pod that ran the shard last. */
  host: Type.String(),
  /** When the first process of the shard began. Milliseconds since 1970, UTC. */
  started_at: Type.Number(),
  updated_at: Type.Number(),
})
/** The counts of a shard while it runs. The record `progress/00007.json` of a run. */
export type ShardProgress = Static<typeof ShardProgress>

/** Writes the counts of a shard. */
export async function writeProgress(store: RunStore, index: number, progress: ShardProgress): Promise<void> {
  await writeJson(store, runFiles.progress(index), progress)
}

/** Reads the counts of a shard. Undefined if it has not begun, or if its file is not one. */
export async function readProgress(store: RunStore, index: number): Promise<ShardProgress | undefined> {
  return readRecord(store, runFiles.progress(index), ShardProgress)
}

/** The counts of all shards that have begun, by their index. */
export interface AllProgress {
  /** Reads what has changed since the last time. */
  read(signal?: AbortSignal): Promise<ReadonlyMap<number, ShardProgress>>
}

/** Opens the counts of all shards, which are read again and again. */
export function openAllProgress(store: RunStore): AllProgress {
  const files = createChangedFiles((path) => readRecord(store, path, ShardProgress))
  return {
    read: async (signal) => valuesByShard(await files.read(await listFiles(store, "progress/", signal), signal)),
  }
}
