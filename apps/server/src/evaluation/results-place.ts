import { AssayError, type EvaluationJob } from "@assay/schemas"
import { loadEvaluation } from "./load-evaluation.ts"

/** Of a job, what tells where its results lie. */
export type ResultsOwner = Pick<EvaluationJob, "id" | "namespace" | "output_files_url">

/** Where the results of a job lie: a fileset of its own, or a folder of one that `output_files_url` names. */
export interface ResultsPlace {
  readonly workspace: string
  readonly name: string
  /** The job's own folder, which ends with a slash; empty in a fileset of its own. */
  readonly folder: string
  readonly isOwn: boolean
}

/**
 * Results go to the fileset `evaluation-<job id>` of the job's workspace; or, where `output_files_url` names a fileset,
 * to a folder there that has the id of the job, so that no job replaces another's.
 * @param edits whether results may be written to another workspace than the job's own
 * @throws `dataset_format`, `forbidden` for an `output_files_url`
 */
export async function resultsPlaceOf(
  { id, namespace, output_files_url: url }: ResultsOwner,
  edits: (workspace: string) => boolean,
): Promise<ResultsPlace> {
  if (url === null) return { workspace: namespace, name: `evaluation-${id}`, folder: "", isOwn: true }
  const { parseFilesUrl } = await loadEvaluation()
  const { workspace, name, path } = parseFilesUrl(url, namespace, { output_files_url: url })
  if (workspace !== namespace && !edits(workspace)) {
    const message = `Results can't be written to workspace '${workspace}': this needs the role editor there.`
    throw new AssayError("forbidden", message, { context: { workspace } })
  }
  const parent = path === undefined ? "" : `${path.replace(/\/$/, "")}/`
  return { workspace, name, folder: `${parent}${id}/`, isOwn: false }
}

/** As results name the place. In a fileset of others, each runner writes to a folder of its own. */
export function filesUrlOfPlace({ workspace, name, folder, isOwn }: ResultsPlace, runnerFolder: string): string {
  return `hf://datasets/${workspace}/${name}${isOwn ? "" : `/${folder}${runnerFolder}`}`
}
