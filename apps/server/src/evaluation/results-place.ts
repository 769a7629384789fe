import type { CallerRegistry, Jobs } from "@assay/registry"
import { AssayError, isAssayError, type EvaluationJob } from "@assay/schemas"
import { loadEvaluation } from "./load-evaluation.ts"

/** Of a job, what tells where its results lie. */
export type ResultsOwner = Pick<EvaluationJob, "id" | "namespace" | "output_files_url">

/** Where the results of a job lie: a fileset of its own, or a folder of one that `output_files_url` names. */
export interface ResultsPlace {
  readonly workspace: string
  readonly name: string
  /** Of the fileset that the job is bound to; undefined where it goes by the name. */
  readonly filesetId: string | undefined
  /** The job's own folder, which ends with a slash; empty in a fileset of its own. */
  readonly folder: string
  readonly isOwn: boolean
  /** The folder of the runner whose results count, where they lie in a fileset of others; empty before there are any. */
  readonly runnerFolder: string
}

/** Whether results may lie in another workspace than the job's own. */
export type MayHoldResults = (workspace: string) => boolean

/**
 * Finds the fileset that `output_files_url` names, for a job that is launched: its results go there even if the fileset gets
 * another name. Undefined if there is none, or the results may not go there; the end of the job tells the reason.
 */
export async function findResultsFileset(
  url: string | undefined,
  namespace: string,
  { registry, edits }: { readonly registry: Pick<CallerRegistry, "filesets">; readonly edits: MayHoldResults },
): Promise<string | undefined> {
  if (url === undefined) return undefined
  const { parseFilesUrl } = await loadEvaluation()
  try {
    const { workspace, name } = parseFilesUrl(url, namespace, { output_files_url: url })
    return workspace === namespace || edits(workspace) ? (await registry.filesets.get(workspace, name)).id : undefined
  } catch (error) {
    if (isAssayError(error, "not_found") || isAssayError(error, "dataset_format")) return undefined
    throw error
  }
}

/**
 * Finds where the results of a job go. This is the fileset `evaluation-<job id>` of the job's workspace; or, if
 * `output_files_url` names a fileset, a folder there that has the id of the job, so that no job replaces another's. A fileset
 * that had another name at the launch is found by its id.
 * @throws `dataset_format`, `forbidden` for an `output_files_url`, `not_found` if its fileset was removed
 */
export async function findResultsPlace(
  jobs: Pick<Jobs, "getResultsPlace">,
  { id, namespace, output_files_url: url }: ResultsOwner,
  edits: MayHoldResults,
): Promise<ResultsPlace> {
  const own = { workspace: namespace, name: `evaluation-${id}`, filesetId: undefined }
  if (url === null) return { ...own, folder: "", isOwn: true, runnerFolder: "" }
  const { parseFilesUrl } = await loadEvaluation()
  const named = parseFilesUrl(url, namespace, { output_files_url: url })
  const { folder: runnerFolder, fileset } = await jobs.getResultsPlace(id)
  if (fileset === "removed") throw filesetRemoved(named)
  const { workspace, name } = fileset ?? named
  if (workspace !== namespace && !edits(workspace)) {
    const message = `Results can't be written to workspace '${workspace}': this needs the role editor there.`
    throw new AssayError("forbidden", message, { context: { workspace } })
  }
  const folder = `${parentFolderOf(named.path)}${id}/`
  return { workspace, name, filesetId: fileset?.id, folder, isOwn: false, runnerFolder }
}

/** The folder that a path of `output_files_url` names, with a slash at its end; empty for the fileset itself. */
export function parentFolderOf(path: string | undefined): string {
  return path === undefined ? "" : `${path.replace(/\/$/, "")}/`
}

/** As results name the place. In a fileset of others, each runner writes to a folder of its own. */
export function filesUrlOfPlace(
  { workspace, name, folder, isOwn }: Pick<ResultsPlace, "workspace" | "name" | "folder" | "isOwn">,
  runnerFolder: string,
): string {
  return `hf://datasets/${workspace}/${name}${isOwn ? "" : `/${folder}${runnerFolder}`}`
}

function filesetRemoved({ workspace, name }: { readonly workspace: string; readonly name: string }): AssayError {
  const message = `The fileset '${workspace}/${name}', which output_files_url named when the job was launched, was removed; launch the job again with another place.`
  return new AssayError("not_found", message, { context: { workspace, fileset: name } })
}
