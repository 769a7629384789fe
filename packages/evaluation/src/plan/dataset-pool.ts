import type { DatasetPin } from "@assay/schemas"
import { filesUrlText } from "../datasets/files-url-text.ts"
import type { JobEnvironment, OpenedDataset } from "../job-environment.ts"
import type { RunnableJob } from "../jobs/runnable-job.ts"
import type { PlanContext } from "./plan-context.ts"

/** The datasets of a job, each opened once. */
export interface DatasetPool {
  readonly open: PlanContext["openDataset"]
  /** Of those that are open. */
  readonly pins: readonly DatasetPin[]
}

export function createDatasetPool(
  { openDataset }: Pick<JobEnvironment, "openDataset">,
  { namespace }: Pick<RunnableJob, "namespace">,
  signal: AbortSignal,
): DatasetPool {
  const opening = new Map<string, Promise<OpenedDataset>>()
  const pins: DatasetPin[] = []
  return {
    pins,
    async open(dataset) {
      const filesUrl = filesUrlText(dataset, namespace)
      const known = opening.get(filesUrl)
      if (known !== undefined) return known
      const opened = openDataset(filesUrl, { signal })
      opening.set(filesUrl, opened)
      pins.push((await opened).pin)
      return opened
    },
  }
}
