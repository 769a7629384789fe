import { Type, type Static } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type { RunPlanOptions } from "@assay/evaluation"
import { tokenSums } from "@assay/results"
import { type FilePath, readAhead } from "@assay/storage"
import { readJson, type RunStore, runFiles, shardOfFile, writeJson } from "./store/run-store.ts"

const Count = Type.Number({ minimum: 0 })
const ShardProgress = Type.Object({
  processed: Count,
  failed: Count,
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
  return readProgressFile(store, runFiles.progress(index))
}

/** Reads the counts of a shard from its file. Undefined if it is not one. */
export async function readProgressFile(store: RunStore, path: FilePath): Promise<ShardProgress | undefined> {
  const found = await readJson(store, path).catch(() => undefined)
  return Value.Check(ShardProgress, found) ? found : undefined
}

/** Reads the counts of all shards that have begun, by their index. */
export async function readAllProgress(
  store: RunStore,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, ShardProgress>> {
  const indexes: number[] = []
  for await (const { path } of store.storage.list({ prefix: "progress/", signal })) indexes.push(shardOfFile(path))
  const found = new Map<number, ShardProgress>()
  const read = async (index: number) => [index, await readProgress(store, index)] as const
  for await (const [index, progress] of readAhead(indexes.filter(Number.isSafeInteger), read, signal)) {
    if (progress !== undefined) found.set(index, progress)
  }
  return found
}

/** What other shards have used of a budget. */
export type SpentElsewhere = ReturnType<NonNullable<RunPlanOptions["spentElsewhere"]>>

const NOTHING_SPENT: SpentElsewhere = { asked: 0, tokens: tokenSums.none }

/** Returns what all shards but one have used. */
export function spentElsewhere(all: ReadonlyMap<number, ShardProgress>, own: number): SpentElsewhere {
  let sum = NOTHING_SPENT
  for (const [index, { processed, tokens }] of all) {
    if (index !== own) sum = { asked: sum.asked + processed, tokens: tokenSums.add(sum.tokens, tokens) }
  }
  return sum
}
