import { rm } from "node:fs/promises"
import type { EvaluationJob } from "@assay/schemas"
import { deleteAll } from "@assay/storage"
import { engineRuns } from "@assay/executors"
import type { JobExecutor, JobExecutors } from "./job-executors.ts"

function executorOf(executors: JobExecutors | undefined, { config }: EvaluationJob): JobExecutor | undefined {
  return executors?.find(config.params?.executor ?? "")
}

/** Stops what an engine has of a job, whichever runner has submitted it. @throws `executor_failed` */
export async function cancelJobRun(executors: JobExecutors | undefined, job: EvaluationJob): Promise<void> {
  const executor = executorOf(executors, job)
  if (executor === undefined) return
  const run = executor.openRun(await executor.openStore(job))
  const { active } = await run.submissions.list()
  if (active.length > 0) await engineRuns.cancel(run)
}

/** Removes the run of a job that has ended from the place of its executor. Leaves it there if the server has no such executor any more. */
export async function removeJobRun(executors: JobExecutors | undefined, job: EvaluationJob): Promise<void> {
  // A job whose runners were lost can have work that nobody waits for. An engine that does not respond must not keep the job.
  if (job.status !== "COMPLETED") await cancelJobRun(executors, job).catch(() => {})
  const store = await executorOf(executors, job)?.openStore(job)
  if (store === undefined) return
  if (store.folder === undefined) await deleteAll(store.storage, { prefix: "" })
  else await rm(store.folder, { recursive: true, force: true })
}
