import type { Registry } from "@assay/registry"
import type { Baseline, EvaluationJob } from "@assay/schemas"
import type { JobCaller } from "../job-caller.ts"

/** Jobs that are looked at: the newest ones. */
const MAX_JOBS = 1000

/** Which jobs of a workspace are wanted. All conditions must hold. */
export interface JobsWanted {
  readonly workspace: string
  /** The name of a stored configuration. */
  readonly config?: string | undefined
  /** As `workspace/fileset/path`. */
  readonly dataset?: string | undefined
  /** The description of the jobs. */
  readonly name?: string | undefined
  /** Jobs that this baseline points or has pointed to. */
  readonly baseline?: Baseline | undefined
}

/** Lists the newest jobs of a workspace that have ended with a result, newest first. @throws `not_found` for a workspace that the caller may not see */
export async function endedJobs(
  { jobs }: Pick<Registry, "jobs">,
  workspace: string,
  { checkRole, visible }: JobCaller,
): Promise<readonly EvaluationJob[]> {
  checkRole(workspace, "viewer")
  const filter = { namespace: workspace, status: ["COMPLETED", "FAILED"] as const }
  const { data } = await jobs.list({ page: 1, page_size: MAX_JOBS, sort: "-created_at", filter }, visible)
  return data.filter(({ result }) => result !== null)
}

export function isWanted(job: EvaluationJob, { config, dataset, name, baseline }: JobsWanted): boolean {
  return (
    (config === undefined || job.config.name === config) &&
    (name === undefined || job.description === name) &&
    (dataset === undefined || datasetsOf(job).includes(dataset)) &&
    (baseline === undefined || baseline.history.some((entry) => entry.job === job.id))
  )
}

const ADDRESS = /^assay:\/\/datasets\//u

/** Returns the datasets that the tasks of a job name, without the scheme. */
export function datasetsOf({ config: { tasks = {} } }: Pick<EvaluationJob, "config">): readonly string[] {
  const found = Object.values(tasks).flatMap(({ dataset }) => {
    const url = typeof dataset === "object" && dataset !== null && "files_url" in dataset ? dataset.files_url : dataset
    return typeof url === "string" ? [url.replace(ADDRESS, "")] : []
  })
  return [...new Set(found)]
}

/** Returns the words for what a job evaluates. */
export function modelOf({ target }: Pick<EvaluationJob, "target">): string {
  const { model, cached_outputs: outputs } = target as {
    readonly model?: string | { readonly api_endpoint?: { readonly model_id?: string } }
    readonly cached_outputs?: { readonly files_url?: string }
  }
  if (typeof model === "string") return model
  return model?.api_endpoint?.model_id ?? outputs?.files_url ?? target.type
}

/** Returns the words for a job: its description, its stored configuration, or its id. */
export function nameOf({ id, description, config }: Pick<EvaluationJob, "id" | "description" | "config">): string {
  return description || config.name || id
}
