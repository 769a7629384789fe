import type { Telemetry } from "@assay/telemetry"
import { type JobEnvironment, journalInDatabase } from "@assay/evaluation"
import { createInProcessQueue } from "../queue/in-process-queue.ts"
import { createShardSender } from "../queue/shard-queue.ts"
import { runEvaluation } from "@assay/attempts"
import { startRunner } from "../runner/start-runner.ts"
import { queuedShards } from "../shards/queued-shards.ts"
import { startShardWorkers, type ShardWorkersOptions } from "../shards/start-shard-workers.ts"
import type { SharedJobs } from "./open-shared-jobs.ts"

/** The options that the runner and the workers do not share. */
interface Side {
  readonly environment: JobEnvironment
  readonly telemetry?: Telemetry
}

export interface ShardRunnerOptions {
  readonly test: SharedJobs
  readonly runner: Side
  readonly workers: Side & Pick<ShardWorkersOptions, "maxPerWorkspace" | "beatMs">
}

const LOG = { info: () => {}, warn: () => {} }

/** Starts a runner with a queue of its own, whose jobs keep their rows in the database, and one worker for their shards. */
export async function startShardRunner({ test, runner, workers }: ShardRunnerOptions): Promise<AsyncDisposable> {
  const {
    boss,
    registry: { jobs },
  } = test
  const basis = { jobs, now: Date.now, elapsed: () => performance.now(), log: LOG, beatMs: 10, concurrency: 1 }
  const { environment, ...working } = workers
  const worker = startShardWorkers({
    ...basis,
    ...working,
    boss,
    pollMs: 20,
    openSetting: async () => ({ environment, close: async () => {} }),
  })
  const { environment: ownEnvironment, ...running } = runner
  const started = await startRunner({
    ...basis,
    ...running,
    queue: createInProcessQueue(),
    async openSetting(run) {
      const journal = journalInDatabase(await run.openJournal())
      return {
        environment: ownEnvironment,
        journal,
        shards: queuedShards(run, createShardSender(boss)),
        filesUrl: null,
        stageResults: async () => ({ results: { folder: run.folder }, settle: async () => {} }),
        close: () => journal.close(),
      }
    },
    evaluate: runEvaluation,
    onShards: () => worker.look(),
  })
  return {
    async [Symbol.asyncDispose]() {
      await started.close()
      await worker.close()
    },
  }
}
