import { type EvaluationJob, type JobShard, isFinalJobStatus, printable } from "@assay/schemas"
import {
  findPlan,
  openRunState,
  type RunStateReader,
  type ShardState,
  engineRuns,
  type ShardProcess,
  lastSubmissions,
  type EngineRun,
} from "@assay/executors"
import type { JobExecutor } from "./job-executors.ts"

/** The shards of one job on an executor, which are read again and again. */
export interface EngineShards {
  /** The folder or bucket of the run. */
  readonly run: string
  /** Returns the shards in their order. Empty if the job is not cut yet. */
  list(job: Pick<EvaluationJob, "status">, signal: AbortSignal): Promise<readonly JobShard[]>
  /** Reads what the processes of a shard have written, the last attempt last. */
  log(index: number, signal: AbortSignal): AsyncIterable<string>
}

/** Opens the shards of a job. The engine is asked at most every 5 s, and not at all about a job that has ended. */
export async function openEngineShards(executor: JobExecutor, job: EvaluationJob): Promise<EngineShards> {
  const store = await executor.openStore(job)
  const run = executor.openRun(store)
  const reader = openRunState(store)
  let isCut = false
  return {
    run: store.location,
    async list({ status }, signal) {
      isCut ||= (await findPlan(store)) !== undefined
      return isCut ? listShards(run, reader, { isOver: isFinalJobStatus(status), signal }) : []
    },
    log: (index, signal) => engineRuns.logs(run, index, signal),
  }
}

interface ListOptions {
  readonly isOver: boolean
  readonly signal: AbortSignal
}

async function listShards(run: EngineRun, reader: RunStateReader, options: ListOptions): Promise<readonly JobShard[]> {
  const { shards } = await reader.read(options.signal)
  if (options.isOver) return shards.map((shard) => shownShard(shard, { state: "ended" }))
  const processes = await lookAt(run, shards, options.signal)
  return shards.map((shard) => shownShard(shard, processes(shard.index)))
}

type FoundProcess = Omit<ShardProcess, "index">

/** Returns what engines of other machines say. The processes of this machine are known to their runner alone, and files show what they do. */
async function lookAt(
  { engines }: EngineRun,
  shards: readonly ShardState[],
  signal: AbortSignal,
): Promise<(index: number) => FoundProcess | undefined> {
  const missing = new Set(shards.flatMap(({ index, state }) => (state === "done" ? [] : [index])))
  const { submissions } = await engines.look(missing, signal)
  const last = lastSubmissions(submissions.filter(({ isTied }) => !isTied))
  return (index) => last.get(index)?.looked?.get(index)
}

function shownShard(
  { index, state, isStopped, rows, progress, failure }: ShardState,
  found: FoundProcess | undefined,
): JobShard {
  const hasEnded = found?.state === "ended" && state === "running"
  return {
    index,
    state: isStopped ? "stopped" : hasEnded ? "waiting" : state,
    rows,
    processed: progress?.processed ?? 0,
    failed: progress?.failed ?? 0,
    location: found?.location ?? progress?.host ?? null,
    reason: found?.reason ?? null,
    message: failure === undefined ? null : printable(failure.message),
  }
}
