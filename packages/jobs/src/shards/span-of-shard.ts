import type { ShardWorker, TakenShard } from "@assay/job-store"
import type { SpanOptions } from "@assay/telemetry"

/** Returns the span of a shard that a worker runs. */
export function spanOfShard(
  { job, attempt }: Pick<ShardWorker, "job" | "attempt">,
  { shard, task, firstRow, endRow }: TakenShard,
): SpanOptions {
  const attributes = { "assay.job.id": job.id, "assay.workspace": job.namespace, "assay.job.attempt": attempt.number }
  const rows = { "assay.shard": shard, "assay.shard.first_row": firstRow, "assay.shard.end_row": endRow }
  return {
    name: "shard",
    trace: { id: job.id, isRoot: false },
    attributes: { ...attributes, "assay.task": task, ...rows },
  }
}
