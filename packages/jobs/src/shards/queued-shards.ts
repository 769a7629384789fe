import type { JobRun, JobShards, OpenedShards } from "@assay/job-store"
import type { ShardSender } from "../queue/shard-queue.ts"

/** The shards of a job, and the queue that carries them to workers. */
export interface QueuedShards extends JobShards {
  /** Adds shards to the queue. Those that were added before stay as they are. */
  send(opened: OpenedShards): Promise<void>
  /** Removes shards from the queue. */
  withdraw(opened: OpenedShards): Promise<void>
}

export function queuedShards({ job, shards }: Pick<JobRun, "job" | "shards">, sender: ShardSender): QueuedShards {
  return {
    ...shards,
    send: (opened) => sender.send({ id: job.id, workspace: job.namespace }, opened),
    withdraw: (opened) => sender.withdraw(job.id, opened),
  }
}
