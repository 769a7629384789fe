import type { CreateJob } from "@assay/registry"
import { AssayError, isAssayError, isFinalJobStatus, type EvaluationJob, type JobScope } from "@assay/schemas"
import { loadEvaluation } from "./load-evaluation.ts"
import { openResultsFileset } from "./results-fileset.ts"
import { findResultsPlace } from "./results-place.ts"
import { jobFolder } from "./runner/job-settings.ts"
import { sweepJobFolders } from "./runner/sweep-job-folders.ts"
import { openDispatch, type Dispatch, type DispatchContext } from "./runner/open-dispatch.ts"

/** Evaluation jobs, from record to run. The record of a job is the truth: what is asked for here is on it before it is done. */
export interface EvaluationService {
  /** Puts a job on record, and has it run. @throws `invalid_request` where there is no such workspace */
  launch(job: CreateJob): Promise<EvaluationJob>
  /** @throws `not_found`, `illegal_transition` */
  cancel(id: string): Promise<EvaluationJob>
  /** Goes on with a job that failed or was cancelled: asks what has no answer. @throws `not_found`, `job_not_final`, `illegal_transition` */
  resume(id: string): Promise<EvaluationJob>
  /** Asks the failed rows again. @throws `not_found`, `job_not_final`, `illegal_transition` */
  retryFailed(id: string): Promise<EvaluationJob>
  /** Adds metrics, without asking the target. @throws `not_found`, `job_not_final`, `illegal_transition`, `invalid_request` */
  score(id: string, metrics: ScoreMetrics): Promise<EvaluationJob>
  /** With its results. @throws `not_found`, `job_not_final` */
  remove(id: string): Promise<void>
  /** Begins to run what waits, as a worker; else looks after jobs that lost theirs. */
  start(): void
  /** Puts down what runs here: whoever comes next goes on with it. */
  close(): Promise<void>
}

type ScoreMetrics = Extract<JobScope, { kind: "score" }>["metrics"]

/** Milliseconds between two looks at jobs of a shared database. */
const LOOK_MS = 5000

/** What runs jobs is loaded when there is one, so that a server starts without. */
export function createEvaluationService(context: DispatchContext): EvaluationService {
  const { registry, databaseUrl, isWorker, logger, folder } = context
  const { jobs } = registry
  let opening: Promise<Dispatch> | undefined
  let sweeping: Promise<void> = Promise.resolve()
  let looking: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function dispatch(): Promise<Dispatch> {
    if (isClosed) throw new AssayError("unavailable", "The server is closing.")
    opening ??= openDispatch(context).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  const warn = (message: string) => (error: unknown) => {
    if (!isClosed) logger.warn({ err: error }, message)
  }

  /** Nobody waits for it: what fails here is found again by those that look for jobs. */
  function inBackground(work: (dispatch: Dispatch) => void | Promise<void>): void {
    void (async () => work(await dispatch()))().catch(warn("handing on an evaluation job failed; it is tried again"))
  }

  async function restart(id: string, scope: JobScope): Promise<EvaluationJob> {
    const job = await jobs.restart(id, scope)
    inBackground(({ enqueue }) => enqueue(id))
    return job
  }

  /** Workers on a shared database are asked by others; the one on its own has to know only what it was told before it was stopped. */
  async function look(): Promise<void> {
    if (!isWorker) return void (await jobs.settleLost())
    const isNeeded = databaseUrl !== undefined || (await jobs.settleLost()).length > 0
    if (isNeeded || (await jobs.listRunnable(1)).length > 0) await dispatch()
  }

  function lookOn(): void {
    looking = look()
      .catch(warn("looking for evaluation jobs failed; it is tried again"))
      .finally(() => {
        const isDone = isWorker && (databaseUrl === undefined || opening !== undefined)
        if (!isClosed && !isDone) timer = setTimeout(lookOn, LOOK_MS).unref()
      })
  }

  return {
    async launch(body) {
      const job = await jobs.create(body)
      inBackground(({ enqueue }) => enqueue(job.id))
      return job
    },

    async cancel(id) {
      const job = await jobs.cancel(id)
      void opening?.then(({ cancel }) => cancel(id)).catch(() => {})
      return job
    },

    resume: (id) => restart(id, { kind: "run" }),
    retryFailed: (id) => restart(id, { kind: "retry-failed" }),
    score: (id, metrics) => restart(id, { kind: "score", metrics }),

    async remove(id) {
      const job = await jobs.get(id)
      // Its results first: without its record nobody would find them.
      if (isFinalJobStatus(job.status)) await removeResults(context, job)
      await jobs.remove(id)
      await (await loadEvaluation()).removeJobFolder(jobFolder(folder, id))
    },

    start() {
      sweeping = sweepJobFolders(folder, jobs).catch(warn("sweeping folders of jobs failed"))
      lookOn()
    },

    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([sweeping, looking])
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}

async function removeResults({ registry }: DispatchContext, job: EvaluationJob): Promise<void> {
  // Whoever may delete the job may delete what it wrote.
  const everywhere = () => true
  try {
    const place = await findResultsPlace(registry.jobs, job, everywhere)
    await openResultsFileset(registry.as(everywhere), place).remove()
  } catch (error) {
    // The results went with the fileset that they were in.
    if (!isAssayError(error, "not_found")) throw error
  }
}
