import { listDone } from "./shard-record.ts"
import { lastFailures, type ShardFailure } from "./shard-failures.ts"
import { readAllProgress, type ShardProgress } from "./shard-progress.ts"
import { readPlan, type ShardPlan } from "./shard-plan.ts"
import { readJson, type RunStore } from "./store/run-store.ts"
import { MERGED } from "./merge-shards.ts"

/** A shard, as the files of its run show it. */
export interface ShardState {
  readonly index: number
  readonly rows: number
  /** `running`: it has begun. Only its executor knows whether its process still runs. */
  readonly state: "waiting" | "running" | "failed" | "done"
  readonly progress: ShardProgress | undefined
  readonly failure: ShardFailure | undefined
}

/** A run, as its files show it, whoever executes it. */
export interface RunState {
  readonly plan: ShardPlan
  readonly shards: readonly ShardState[]
  /** Rows of all shards. */
  readonly total: number
  readonly processed: number
  readonly failed: number
  /** How the results were merged. Undefined: they are not yet. */
  readonly merged: { readonly status: string; readonly message: string } | undefined
}

/** Reads the state of a run from its folder or bucket. @throws `bad_document` if the location has no plan */
export async function readRunState(store: RunStore, signal?: AbortSignal): Promise<RunState> {
  const plan = await readPlan(store)
  const done = new Set(await listDone(store, signal))
  const progress = await readAllProgress(store, signal)
  const failures = await lastFailures(store, signal)
  const shards = plan.shards.map((ranges, index): ShardState => {
    const rows = ranges.reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0)
    const own = progress.get(index)
    const failure = done.has(index) ? undefined : failures.get(index)
    const hasFailed = failure !== undefined && failure.at >= (own?.updated_at ?? 0)
    const state = done.has(index) ? "done" : hasFailed ? "failed" : own === undefined ? "waiting" : "running"
    return { index, rows, state, progress: own, failure }
  })
  const sum = (value: (shard: ShardState) => number) => shards.reduce((total, shard) => total + value(shard), 0)
  return {
    plan,
    shards,
    total: sum(({ rows }) => rows),
    processed: sum((shard) => shard.progress?.processed ?? 0),
    failed: sum((shard) => shard.progress?.failed ?? 0),
    merged: (await readJson(store, MERGED)) as RunState["merged"],
  }
}
