import type { ShardCounts, ShardFindings, TakenShard } from "@assay/job-store"
import type { Outages } from "@assay/storage"
import type { JobProgress, PlanOutcome } from "@assay/results"
import {
  type JobPlan,
  type Journal,
  journalInDatabase,
  runPlan,
  rowFacts,
  type RunPlanOptions,
  type TaskPlan,
} from "@assay/evaluation"

/** How a run of a shard ended, and the facts of the rows that it has added. */
export interface ShardOutcome extends PlanOutcome {
  readonly facts: string | undefined
}

/** Runs the rows of a shard that are due, and keeps them in the journal of the shard. Rows that earlier workers answered are not asked again. */
export async function runShard(
  plan: JobPlan,
  shard: TakenShard,
  { outages, ...options }: Omit<RunPlanOptions, "journal"> & { readonly outages: Outages },
): Promise<ShardOutcome> {
  const task = plan.tasks.find(({ name }) => name === shard.task)
  if (task === undefined) throw new TypeError(`The plan has no task '${shard.task}'.`)
  const opened = journalInDatabase(await outages.outlast(() => shard.openJournal(outages)))
  const facts = rowFacts.collect(task.name, rowFacts.fieldsOf(task))
  const journal: Journal = {
    ...opened,
    append(row) {
      opened.append(row)
      facts.add(row)
    },
  }
  try {
    const outcome = await runPlan({ ...plan, tasks: [taskOfShard(task, shard)] }, { ...options, journal })
    return { ...outcome, facts: facts.text() }
  } finally {
    await journal.close()
  }
}

function taskOfShard(task: TaskPlan, { firstRow: start, endRow: end }: TakenShard): TaskPlan {
  const { openRange } = task.rows
  return {
    ...task,
    // How many rows may fail is decided over all shards.
    maxFailedShare: 1,
    // The runner splits the scores of all shards.
    slices: [],
    rows: {
      // Without a range, no row is asked: the attempt adds scores to rows of the journal.
      open: (signal) => (openRange === undefined ? task.rows.open(signal) : openRange({ start, end }, signal)),
      count: () => Promise.resolve(end - start),
    },
  }
}

/**
 * Returns the progress of a shard that is shown while its job runs. At the end, the tokens are counted by the rows. A failed row that this attempt
 * asks again does not count, because it would end the job.
 */
export function countsOf({ processed, failed, standing = failed, tokens }: JobProgress): ShardCounts {
  return {
    processed,
    failed: standing,
    promptTokens: tokens.prompt + tokens.unsplit,
    completionTokens: tokens.completion,
  }
}

/** Returns the progress of a shard while its job runs. */
export function findingsOf({ means, processed }: JobProgress): ShardFindings {
  return { means, rows: processed, conditions: [] }
}
