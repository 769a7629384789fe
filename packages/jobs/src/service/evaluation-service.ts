import type { CreateJob } from "@assay/registry"
import {
  AssayError,
  isAssayError,
  isFinalJobStatus,
  type EvaluationJob,
  type JobScope,
  type RemovedJob,
} from "@assay/schemas"
import { removeFolderOfJob, sweepJobFolders } from "./job-folders.ts"
import type { Dispatch, DispatchContext } from "./open-dispatch.ts"

/** The evaluation jobs of a server. Every request is on the record of the job before it takes effect. */
export interface EvaluationService {
  /** Creates the record of a job, and queues the job. @throws `invalid_request` if the workspace does not exist */
  launch(job: CreateJob): Promise<EvaluationJob>
  /** @throws `not_found`, `illegal_transition` */
  cancel(id: string): Promise<EvaluationJob>
  /** Continues a job that failed or was cancelled with the rows without an answer. @throws `not_found`, `job_not_final`, `illegal_transition` */
  resume(id: string): Promise<EvaluationJob>
  /** Evaluates the failed rows again. @throws `not_found`, `job_not_final`, `illegal_transition` */
  retryFailed(id: string): Promise<EvaluationJob>
  /** Adds metrics without calls to the target. @throws `not_found`, `job_not_final`, `illegal_transition`, `invalid_request` */
  score(id: string, metrics: ScoreMetrics): Promise<EvaluationJob>
  /** Moves a job and its results into the trash. Without a trash, or if `permanent`, it deletes them. @throws `not_found`, `job_not_final` */
  remove(id: string, options: RemoveJobOptions): Promise<RemovedJob>
  /** Deletes the jobs of the trash whose time is over, in the background. */
  sweepTrash(): void
  /** Starts to run waiting jobs if this process is a worker. If not, starts to look for jobs whose runner was lost. */
  start(): void
  /** Releases the jobs that run here. The next runner continues them. */
  close(): Promise<void>
}

export interface RemoveJobOptions {
  /** Who removes it. Empty: nobody signed in. */
  readonly by: string
  /** Whether the trash does not keep it. */
  readonly permanent: boolean
}

type ScoreMetrics = Extract<JobScope, { kind: "score" }>["metrics"]

/** Milliseconds between two looks at the jobs of a shared database. */
const LOOK_MS = 5000

/** Creates the service. The code that runs jobs is loaded with the first job, so that a server starts without it. */
export function createEvaluationService(context: DispatchContext): EvaluationService {
  const { registry, isWorker, logger, folder } = context
  const { jobs } = registry
  const isShared = registry.sharedDatabase !== undefined
  const dispatches = createLazyDispatch(context)
  let sweeping: Promise<void> = Promise.resolve()
  let looking: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const warn = (message: string) => (error: unknown) => {
    if (!dispatches.isClosed()) logger.warn({ err: error }, message)
  }

  /** Queues a job without a wait. If this fails, a worker that looks for jobs finds the job again. */
  function enqueue({ id, config }: EvaluationJob): void {
    void (async () => (await dispatches.open()).enqueue(id, config.params?.priority ?? 0))().catch(
      warn("queueing an evaluation job failed; it is tried again"),
    )
  }

  async function restart(id: string, scope: JobScope): Promise<EvaluationJob> {
    const job = await jobs.restart(id, scope)
    enqueue(job)
    return job
  }

  function lookRepeatedly(): void {
    looking = lookForJobs(context, dispatches)
      .catch(warn("looking for evaluation jobs failed; it is tried again"))
      .finally(() => {
        const isDone = isWorker && (!isShared || dispatches.opening() !== undefined)
        if (!dispatches.isClosed() && !isDone) timer = setTimeout(lookRepeatedly, LOOK_MS).unref()
      })
  }

  function sweepTrash(): void {
    sweeping = sweeping
      .then(() => sweepDiscarded(context, dispatches.isClosed))
      .catch(warn("deleting jobs of the trash failed; it is tried again"))
  }

  return {
    async launch(body) {
      const job = await jobs.create(body)
      enqueue(job)
      return job
    },

    async cancel(id) {
      const job = await jobs.cancel(id)
      void dispatches
        .opening()
        ?.then(({ cancel }) => cancel(id))
        .catch(() => {})
      return job
    },

    resume: (id) => restart(id, { kind: "run" }),
    retryFailed: (id) => restart(id, { kind: "retry-failed" }),
    score: (id, metrics) => restart(id, { kind: "score", metrics }),

    remove: (id, options) => removeJob(context, id, options),
    sweepTrash,

    start() {
      sweeping = sweepJobFolders(folder, jobs).catch(warn("sweeping folders of jobs failed"))
      sweepTrash()
      lookRepeatedly()
    },

    async close() {
      const closing = dispatches.close()
      clearTimeout(timer)
      await Promise.all([sweeping, looking, closing])
    },
  }
}

/** Opens the dispatch of jobs when it is needed. */
interface LazyDispatch {
  /** @throws `unavailable` after `close` */
  open(): Promise<Dispatch>
  /** Returns the dispatch if it was opened. */
  opening(): Promise<Dispatch> | undefined
  isClosed(): boolean
  close(): Promise<void>
}

function createLazyDispatch(context: DispatchContext): LazyDispatch {
  let opening: Promise<Dispatch> | undefined
  let isClosed = false

  async function load(): Promise<Dispatch> {
    const { openDispatch } = await import("./open-dispatch.ts")
    return openDispatch(context)
  }

  return {
    open() {
      if (isClosed) throw new AssayError("unavailable", "The server is closing.", { context: { closing: true } })
      opening ??= load().catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    opening: () => opening,
    isClosed: () => isClosed,
    async close() {
      isClosed = true
      const opened = await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}

/** Opens the queue of a worker if jobs wait. A worker on a shared database always opens it, for jobs of other servers. */
async function lookForJobs({ registry, isWorker }: DispatchContext, dispatches: LazyDispatch): Promise<void> {
  const { jobs } = registry
  if (!isWorker) return void (await jobs.settleLost())
  const isNeeded = registry.sharedDatabase !== undefined || (await jobs.settleLost()).length > 0
  if (isNeeded || (await jobs.listRunnable(1)).length > 0) await dispatches.open()
}

async function removeJob(
  context: DispatchContext,
  id: string,
  { by, permanent }: RemoveJobOptions,
): Promise<RemovedJob> {
  const { jobs } = context.registry
  const job = await jobs.get(id)
  if (!permanent) {
    const { ownResultsOf } = await import("../outputs/results-location.ts")
    const resultsFileset = job.output_files_url === null ? ownResultsOf(job).name : undefined
    const discarded = await jobs.discard(id, { by, resultsFileset })
    if (discarded !== undefined) return { id, ...discarded }
  }
  await removeForGood(context, job)
  return { id, restorable_until: null }
}

/** Jobs of the trash that are read at a time. */
const GROUP = 100

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
