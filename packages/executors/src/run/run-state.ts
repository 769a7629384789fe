import { isAssayError } from "@assay/schemas/errors"
import { listRecords, readShardRecord, type ShardEnd } from "./shard-record.ts"
import { listLastFailures, readFailure, type ShardFailure } from "./shard-failures.ts"
import { openAllProgress, type ShardProgress } from "./shard-progress.ts"
import { readPlan, type ShardPlan } from "./shard-plan.ts"
import { type MergedRecord, readMergedRecord } from "./merged-record.ts"
import { readDecisions } from "./gate-decisions.ts"
import { laneTasks, unitsOf } from "./task-range.ts"
import { createChangedFiles } from "./changed-files.ts"
import { type RunStore, shardOfFile, valuesByShard } from "./run-store.ts"

/** A shard, as the files of its run show it. */
export interface ShardState {
  readonly index: number
  /** Rows and repeats of them. */
  readonly rows: number
  /** `running`: it has begun. Only its executor knows whether its process still runs. */
  readonly state: "waiting" | "running" | "failed" | "done"
  /** Whether it is done and ended early: too many rows of the job had failed, its budget was used up, or its gates were decided. */
  readonly isStopped: boolean
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
  /** The tasks that ended early by their gates, in the order of the plan. Their other rows are not asked. */
  readonly endedEarly: readonly string[]
  /** How the results were merged. Undefined: they are not yet. */
  readonly merged: MergedRecord | undefined
}

/** The state of a run, which is read again and again. */
export interface RunStateReader {
  /** Reads what has changed since the last time. @throws `bad_document` if the location has no plan; the errors of the storage */
  read(signal?: AbortSignal): Promise<RunState>
}

/**
 * Opens the state of a run. Each look lists three folders, and a fourth one if gates can end it, and reads only the files that have changed: those of the shards
 * that run. A shard that is done is read once, and its record only if it did not ask all of its rows.
 */
export function openRunState(store: RunStore): RunStateReader {
  let plan: ShardPlan | undefined
  let lanes: readonly string[] | undefined
  const allProgress = openAllProgress(store)
  const failureFiles = createChangedFiles((path) => readFailure(store, path))
  const endFiles = createChangedFiles((path) => readEnd(store, shardOfFile(path)))
  return {
    async read(signal) {
      plan ??= await readPlan(store)
      // A shard publishes its rows after its last counts, so the counts that are read after this are the last ones.
      const records = await listRecords(store, signal)
      const done = new Set(records.map(({ path }) => shardOfFile(path)))
      const progress = await allProgress.read(signal)
      const failures = valuesByShard(await failureFiles.read(await listLastFailures(store, signal), signal))
      const merged = done.size < plan.shards.length ? undefined : await readMergedRecord(store)
      // Its counts say which records are worth a look.
      const isWhole = (index: number) =>
        (progress.get(index)?.processed ?? Infinity) >= unitsOf(plan?.shards[index] ?? [])
      const short = records.filter(({ path }) => !isWhole(shardOfFile(path)))
      const ends = valuesByShard(await endFiles.read(short, signal))
      lanes ??= [...laneTasks(plan)]
      const decided = lanes.length === 0 ? new Set<string>() : await readDecisions(store, signal)
      const endedEarly = lanes.filter((task) => decided.has(task))
      return stateOf(plan, { done, ends, progress, failures, merged, endedEarly })
    },
  }
}

/** Reads the state of a run from its folder or bucket. @throws `bad_document` if the location has no plan */
export function readRunState(store: RunStore, signal?: AbortSignal): Promise<RunState> {
  return openRunState(store).read(signal)
}

/** Returns the indexes of the shards whose rows are not published. */
export function missingShards({ shards }: Pick<RunState, "shards">): readonly number[] {
  return shards.flatMap(({ index, state }) => (state === "done" ? [] : [index]))
}

/** Reads how a shard ended. Undefined for a damaged record, which a merge reports. */
async function readEnd(store: RunStore, index: number): Promise<ShardEnd["kind"] | undefined> {
  try {
    return (await readShardRecord(store, index))?.end.kind
  } catch (error) {
    if (isAssayError(error, "content_damaged")) return undefined
    throw error
  }
}

interface FoundFiles extends Pick<RunState, "merged" | "endedEarly"> {
  readonly done: ReadonlySet<number>
  /** How shards ended that are done and have not asked all of their rows. */
  readonly ends: ReadonlyMap<number, ShardEnd["kind"]>
  readonly progress: ReadonlyMap<number, ShardProgress>
  readonly failures: ReadonlyMap<number, ShardFailure>
}

function stateOf(plan: ShardPlan, { done, ends, progress, failures, ...found }: FoundFiles): RunState {
  const shards = plan.shards.map((ranges, index): ShardState => {
    const rows = unitsOf(ranges)
    const own = progress.get(index)
    const failure = done.has(index) ? undefined : failures.get(index)
    const hasFailed = failure !== undefined && failure.attempt >= (own?.attempt ?? 0)
    const state = done.has(index) ? "done" : hasFailed ? "failed" : own === undefined ? "waiting" : "running"
    const isStopped = (ends.get(index) ?? "finished") !== "finished"
    return { index, rows, state, isStopped, progress: own, failure }
  })
  const sum = (value: (shard: ShardState) => number) => shards.reduce((total, shard) => total + value(shard), 0)
  return {
    plan,
    shards,
    total: sum(({ rows }) => rows),
    processed: sum((shard) => shard.progress?.processed ?? 0),
    failed: sum((shard) => shard.progress?.failed ?? 0),
    ...found,
  }
}
