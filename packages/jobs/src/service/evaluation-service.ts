import type { CreateJob } from "@assay/job-store"
import { AssayError, type EvaluationJob, type JobScope, type RemovedJob } from "@assay/schemas"
import { sweepJobFolders } from "./job-folders.ts"
import { createTrashSweeper, removeJob, type RemoveJobOptions } from "./remove-job.ts"
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

type ScoreMetrics = Extract<JobScope, { kind: "score" }>["metrics"]

/** Milliseconds between two looks at the jobs of a shared database. */
const LOOK_MS = 5000

/** Creates the service. The code that runs jobs is loaded with the first job, so that a server starts without it. */
export function createEvaluationService(context: DispatchContext): EvaluationService {
  const { registry, isWorker, logger, folder } = context
  const { jobs, sharedDatabase } = registry
  const dispatches = createLazyDispatch(context)
  const trash = createTrashSweeper(context, () => dispatches.isClosed())
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
        const isDone = isWorker && (sharedDatabase === undefined || dispatches.opening() !== undefined)
        if (!dispatches.isClosed() && !isDone) timer = setTimeout(lookRepeatedly, LOOK_MS).unref()
      })
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
    sweepTrash: () => trash.sweep(),

    start() {
      sweeping = sweepJobFolders(folder, jobs).catch(warn("sweeping folders of jobs failed"))
      trash.sweep()
      lookRepeatedly()
    },

    async close() {
      const closing = dispatches.close()
      clearTimeout(timer)
      await Promise.all([sweeping, trash.settled(), looking, closing])
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
