import type { Registry } from "@assay/registry"
import { AssayError, isAssayError } from "@assay/schemas"
import type { JobToCompare } from "@assay/results"
import { comparableJob, type JobResultsOptions } from "./job-results.ts"

interface OpenBaselineOptions extends JobResultsOptions {
  readonly workspace: string
}

/** Opens the results of a baseline or a job of the workspace. @throws `not_found`, also if the job has no result yet */
export async function openBaseline(name: string, options: OpenBaselineOptions): Promise<JobToCompare> {
  const { registry, workspace } = options
  const id = (await findBaseline(name, options)) ?? name
  const job = await registry.jobs.get(id).catch((error: unknown) => {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  })
  if (job === undefined || job.namespace !== workspace) {
    const message = `The workspace '${workspace}' has no baseline and no job '${name}'.`
    throw new AssayError("not_found", message, { context: { baseline: name } })
  }
  return comparableJob(job, options)
}

/** Returns the job that a baseline points to. */
async function findBaseline(
  name: string,
  { registry, workspace }: { readonly registry: Pick<Registry, "evaluationBaselines">; readonly workspace: string },
): Promise<string | undefined> {
  try {
    const { data } = await registry.evaluationBaselines.get(workspace, name)
    return data.history[0]?.job
  } catch (error) {
    if (isAssayError(error, "not_found") || isAssayError(error, "invalid_request")) return undefined
    throw error
  }
}
