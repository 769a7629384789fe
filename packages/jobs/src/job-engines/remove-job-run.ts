import { rm } from "node:fs/promises"
import type { EvaluationJob } from "@assay/schemas"
import { deleteAll } from "@assay/storage"
import type { JobExecutors } from "./job-executors.ts"

/** Removes the run of a job that has ended from the place of its executor. Leaves it there if the server has no such executor any more. */
export async function removeJobRun(executors: JobExecutors | undefined, job: EvaluationJob): Promise<void> {
  const store = await executors?.find(job.config.params?.executor ?? "")?.openStore(job)
  if (store === undefined) return
  if (store.folder === undefined) await deleteAll(store.storage, { prefix: "" })
  else await rm(store.folder, { recursive: true, force: true })
}
