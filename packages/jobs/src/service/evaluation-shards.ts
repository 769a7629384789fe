import { LRUCache } from "lru-cache"
import type { Registry } from "@assay/registry"
import { AssayError, type EvaluationJob, type JobShard, type JobShardPage } from "@assay/schemas"
import type { EngineShards } from "../job-engines/engine-shards.ts"
import { findJob, type JobCaller } from "./job-caller.ts"
import type { JobHost } from "../launch/job-host.ts"

/** The shards of jobs, whoever runs them, for callers that may see the job. */
export interface EvaluationShards {
  /** @throws `not_found`, and the errors of the place of an executor */
  list(id: string, query: ShardQuery, options: ShardCall): Promise<JobShardPage>
  /** Reads what the processes of a shard have written. Undefined: workers of the servers run it, which write into the log of the job. @throws `not_found` */
  log(id: string, index: number, options: ShardCall): Promise<AsyncIterable<string> | undefined>
}

export interface ShardQuery {
  readonly offset: number
  readonly limit: number
}

export interface ShardCall {
  readonly caller: JobCaller
  readonly signal: AbortSignal
}

export interface EvaluationShardsContext extends Pick<JobHost, "executors"> {
  readonly registry: Pick<Registry, "jobs">
}

/** Jobs whose shards stay open, so that the next page reads only what has changed. */
const MAX_OPEN = 50

export function createEvaluationShards({ registry, executors }: EvaluationShardsContext): EvaluationShards {
  const { jobs } = registry
  const opened = new LRUCache<string, Promise<EngineShards>>({ max: MAX_OPEN })

  /** Opens the shards of a job on an executor. Undefined: it has none, or the server does not have the executor any more. */
  async function openShards(job: EvaluationJob): Promise<EngineShards | undefined> {
    const executor = executors?.find(job.config.params?.executor ?? "")
    if (executor === undefined) return undefined
    const { openEngineShards } = await import("../job-engines/engine-shards.ts")
    const known = opened.get(job.id)
    if (known !== undefined) return known
    const opening = openEngineShards(executor, job)
    opened.set(job.id, opening)
    // Do not keep a failure: the next request can succeed.
    opening.catch(() => opened.peek(job.id) === opening && opened.delete(job.id))
    return opening
  }

  return {
    async list(id, query, { caller, signal }) {
      const job = await findJob(registry, id, { caller, role: "viewer" })
      const engine = await openShards(job)
      if (engine === undefined) return pageOfWorkers(job, await jobs.listShards(id, query), query)
      const all = await engine.list(job, signal)
      const { offset, limit } = query
      const counts = { waiting: 0, running: 0, failed: 0, stopped: 0, done: 0 }
      for (const { state } of all) counts[state]++
      const about = { executor: job.config.params?.executor ?? null, run: engine.run, total: all.length, counts }
      return pageOf(all.slice(offset, offset + limit), about, query)
    },
    async log(id, index, { caller, signal }) {
      const job = await findJob(registry, id, { caller, role: "viewer" })
      const engine = await openShards(job)
      const total =
        engine === undefined
          ? (await jobs.listShards(id, { offset: 0, limit: 0 })).counts.total
          : (await engine.list(job, signal)).length
      if (index < total) return engine?.log(index, signal)
      const which = total === 0 ? "is not cut into shards" : `has the shards 0 to ${total - 1}`
      throw new AssayError("not_found", `Evaluation job '${id}' ${which}, and no shard ${index}`)
    },
  }
}

type Listing = Awaited<ReturnType<Registry["jobs"]["listShards"]>>

function pageOfWorkers({ config }: EvaluationJob, listing: Listing, query: ShardQuery): JobShardPage {
  const { shards, counts: all } = listing
  const { total, done, running } = all
  const repeatsOf = (task: string) => config.tasks?.[task]?.params?.repeats ?? config.params?.repeats ?? 1
  const data = shards.map(({ shard, task, firstRow, endRow, isDone, worker, processed, failed }): JobShard => ({
    index: shard,
    state: isDone ? "done" : worker === undefined ? "waiting" : "running",
    rows: (endRow - firstRow) * repeatsOf(task),
    processed,
    failed,
    location: worker ?? null,
    reason: null,
    message: null,
  }))
  const counts = { waiting: total - done - running, running, failed: 0, stopped: 0, done }
  return pageOf(data, { executor: null, run: null, total, counts }, query)
}

function pageOf(
  data: JobShard[],
  about: Pick<JobShardPage, "executor" | "run" | "total" | "counts">,
  { offset }: ShardQuery,
): JobShardPage {
  const next = offset + data.length
  return { object: "list", data, ...about, next_offset: data.length > 0 && next < about.total ? next : null }
}
