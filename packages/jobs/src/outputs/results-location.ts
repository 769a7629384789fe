import type { CallerFilesets } from "@assay/filesets"
import type { Jobs } from "@assay/job-store"
import type { Registry } from "@assay/registry"
import { AssayError, isAssayError, type EvaluationJob } from "@assay/schemas"
import { parseNewFilePath } from "@assay/storage"
import { filesUrl } from "@assay/evaluation"
import { checkHoldsResults, checkSeen, type JobRights, type JobScopeRights } from "../rights/job-rights.ts"

type FilesUrl = ReturnType<typeof filesUrl.parse>

/** The fields of a job that decide where its results are. */
export type ResultsOwner = Pick<EvaluationJob, "id" | "namespace" | "output_files_url">

/** The location of a job's results: a fileset of its own, or a folder in the fileset that `output_files_url` names. */
export interface ResultsLocation {
  readonly workspace: string
  readonly name: string
  /** The id of the fileset, if the job is bound to it; undefined if it is found by its name. */
  readonly filesetId: string | undefined
  /** The job's own folder, with a slash at its end; empty in a fileset of its own. */
  readonly folder: string
  readonly isOwn: boolean
  /** In the fileset of `output_files_url`: the folder of the runner whose results count. Empty before there are results. */
  readonly runnerFolder: string
}

function parseOutputUrl(url: string, ownWorkspace: string): FilesUrl {
  return filesUrl.parse(url, ownWorkspace, { output_files_url: url })
}

/**
 * Finds the fileset that `output_files_url` names at a launch: results go there even if the fileset gets another name. Returns
 * undefined if there is no such fileset, or if results may not go there; then the end of the job reports the reason.
 */
export async function findResultsFileset(
  url: string | undefined,
  { workspace: ownWorkspace, rights }: JobScopeRights,
  registry: Pick<CallerFilesets, "filesets">,
): Promise<string | undefined> {
  if (url === undefined) return undefined
  try {
    const { workspace, name } = parseOutputUrl(url, ownWorkspace)
    const mayWrite = workspace === ownWorkspace || rights.edits(workspace)
    return mayWrite ? (await registry.filesets.get(workspace, name)).id : undefined
  } catch (error) {
    if (isAssayError(error, "not_found") || isAssayError(error, "dataset_format")) return undefined
    throw error
  }
}

/** Returns the fileset that has only the results of a job without `output_files_url`. */
export function ownResultsOf({ id, namespace }: Pick<ResultsOwner, "id" | "namespace">): FilesetName {
  return { workspace: namespace, name: `evaluation-${id}` }
}

interface FilesetName {
  readonly workspace: string
  readonly name: string
}

/**
 * Finds the location of a job's results. This is the fileset `evaluation-<job id>` of the job's workspace; or, if
 * `output_files_url` names a fileset, a folder there that has the id of the job, so that no job replaces the results of another. A
 * fileset that had another name at the launch is found by its id.
 * @throws `dataset_format`, `forbidden` for an `output_files_url`; `not_found` if its fileset was removed
 */
export async function findResultsLocation(
  jobs: Pick<Jobs, "getResultsLocation">,
  job: ResultsOwner,
  edits: JobRights["edits"],
): Promise<ResultsLocation> {
  const { id, namespace: ownWorkspace, output_files_url: url } = job
  if (url === null) return { ...ownResultsOf(job), filesetId: undefined, folder: "", isOwn: true, runnerFolder: "" }
  const named = parseOutputUrl(url, ownWorkspace)
  const { folder: runnerFolder, fileset } = await jobs.getResultsLocation(id)
  if (fileset === "removed") throw filesetRemoved(named)
  const { workspace, name } = fileset ?? named
  checkHoldsResults(workspace, ownWorkspace, edits)
  const folder = `${parentFolderOf(named)}${id}/`
  return { workspace, name, filesetId: fileset?.id, folder, isOwn: false, runnerFolder }
}

/** Returns the folder that an `output_files_url` names, with a slash at its end; empty for the fileset itself. */
function parentFolderOf({ path }: FilesUrl): string {
  return path === undefined ? "" : `${path.replace(/\/$/, "")}/`
}

/** Returns the `files_url` of results. In the fileset of `output_files_url`, each runner writes to a folder of its own. */
export function filesUrlOfLocation(
  { workspace, name, folder, isOwn }: Pick<ResultsLocation, "workspace" | "name" | "folder" | "isOwn">,
  runnerFolder: string,
): string {
  return `hf://datasets/${workspace}/${name}${isOwn ? "" : `/${folder}${runnerFolder}`}`
}

function filesetRemoved({ workspace, name }: FilesUrl): AssayError {
  const message = `The fileset '${workspace}/${name}', which output_files_url named when the job was launched, was removed; launch the job again with another place.`
  return new AssayError("not_found", message, { context: { workspace, fileset: name } })
}

export interface LocationToProbe extends JobScopeRights {
  readonly files: CallerFilesets
  /** Null or absent: a new fileset on the default storage. */
  readonly outputFilesUrl?: string | null | undefined
  readonly newId: (prefix: string) => string
  readonly signal: AbortSignal
}

/** Writes a file to the location of the results, and removes it. @throws the error that prevents it */
export async function probeResults(registry: Pick<Registry, "checkReady">, location: LocationToProbe): Promise<void> {
  const { files, workspace: ownWorkspace, rights, outputFilesUrl, newId, signal } = location
  if (outputFilesUrl === undefined || outputFilesUrl === null) return registry.checkReady()
  const named = parseOutputUrl(outputFilesUrl, ownWorkspace)
  const { workspace, name } = named
  checkSeen(workspace, location)
  checkHoldsResults(workspace, ownWorkspace, rights.edits)
  const fileset = await files.files.openWritable(workspace, name)
  // As deep as the results will be: a file may have the name of one of the folders.
  const path = parseNewFilePath(`${parentFolderOf(named)}.${newId("probe")}/attempt-1/results/results.json`)
  await fileset.write(path, empty(), { signal })
  await files.files.remove(workspace, name, path, { signal })
}

async function* empty(): AsyncGenerator<Uint8Array> {}
