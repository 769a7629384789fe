import { type EvaluationJob, isAssayError, isFinalJobStatus, type RemovedJob } from "@assay/schemas"
import { removeFolderOfJob } from "./job-folders.ts"
import type { DispatchContext } from "./open-dispatch.ts"

export interface RemoveJobOptions {
  /** The caller who removes it. Empty: nobody signed in. */
  readonly by: string
  /** Whether the trash does not keep it. */
  readonly permanent: boolean
}

/** Moves a job that has ended into the trash, or deletes it. @throws `not_found`, `job_not_final` */
export async function removeJob(
  context: DispatchContext,
  id: string,
  { by, permanent }: RemoveJobOptions,
): Promise<RemovedJob> {
  const { jobs } = context.registry
  const job = await jobs.get(id)
  const { ownResultsOf } = await import("../outputs/results-location.ts")
  const resultsFileset = job.output_files_url === null ? ownResultsOf(job).name : undefined
  const discarded = permanent ? undefined : await jobs.discard(id, { by, resultsFileset })
  if (discarded !== undefined) return { id, ...discarded }
  // In one transaction: an error means that nothing has changed.
  await jobs.discard(id, { by, resultsFileset, isPermanent: true })
  await removeForGood(context, job).catch((error: unknown) => {
    if (!isAssayError(error, "not_found"))
      context.logger.warn({ err: error, job: id }, "a deleted job has left something, which the next sweep deletes")
  })
  return { id, restorable_until: null }
}

/** Deletes jobs of the trash in the background, one sweep after the other. */
export interface TrashSweeper {
  sweep(): void
  settled(): Promise<void>
}

export function createTrashSweeper(context: DispatchContext, isClosed: () => boolean): TrashSweeper {
  let sweeping: Promise<void> = Promise.resolve()
  const sweep = async () => {
    try {
      await sweepDiscarded(context, isClosed)
    } catch (error) {
      if (!isClosed()) context.logger.warn({ err: error }, "deleting jobs of the trash failed; it is tried again")
    }
  }
  return {
    sweep() {
      sweeping = sweeping.then(sweep)
    },
    settled: () => sweeping,
  }
}

/** Jobs of the trash that are read at a time. */
const GROUP = 100

/** Deletes the jobs of the trash whose time is over. */
async function sweepDiscarded(context: DispatchContext, isClosed: () => boolean): Promise<void> {
  const { registry, logger } = context
  for (;;) {
    let removed = 0
    const group = await registry.jobs.listDiscarded(GROUP)
    for (const job of group) {
      if (isClosed()) return
      try {
        await removeForGood(context, job)
        removed += 1
      } catch (error) {
        // One that fails keeps no other one.
        if (!isAssayError(error, "not_found"))
          logger.warn({ err: error, job: job.id }, "deleting a job of the trash failed")
      }
    }
    if (group.length < GROUP || removed === 0) return
  }
}

/** Deletes a job with everything that only it has. Can be called again after a failure. */
async function removeForGood({ registry, folder, executors }: DispatchContext, job: EvaluationJob): Promise<void> {
  const { id } = job
  if (isFinalJobStatus(job.status)) {
    // Before the record: otherwise nothing would refer to the results.
    const { removeResults } = await import("../outputs/results-fileset.ts")
    await removeResults(registry, job)
    if (job.config.params?.executor !== undefined) {
      const { removeJobRun } = await import("../job-engines/end-job-run.ts")
      await removeJobRun(executors, job)
    }
  }
  await registry.jobs.remove(id)
  await removeFolderOfJob(folder, id)
}
