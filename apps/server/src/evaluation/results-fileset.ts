import type { ArchiveFile, ResultsSink } from "@assay/evaluation"
import type { CallerRegistry } from "@assay/registry"
import { AssayError, isAssayError, type EvaluationJob, type FileInfo } from "@assay/schemas"
import { loadEvaluation } from "./load-evaluation.ts"

/** Of a job, what tells where its results lie. */
export type ResultsOwner = Pick<EvaluationJob, "id" | "namespace" | "output_files_url">

export interface ResultsFilesetOptions {
  /** Whether results may be written to another workspace than the job's own. */
  readonly edits: (workspace: string) => boolean
  readonly signal?: AbortSignal
}

/** Where the results of a job lie: an ordinary fileset, or a folder of one. */
export interface ResultsFileset extends ResultsSink {
  readonly workspace: string
  readonly name: string
  /** As results name it. */
  readonly filesUrl: string
  /** Every file in code-point order, by its path in the results. */
  files(): AsyncIterable<ArchiveFile>
  /** What a job that is removed takes along: its own fileset; of one that others named, only its folder. */
  remove(): Promise<void>
}

/**
 * Results go to the fileset `evaluation-<job id>` of the job's workspace, which is made by the first write; or, where
 * `output_files_url` names a fileset, to a folder there that has the id of the job, so that no job replaces another's.
 * @throws `dataset_format`, `forbidden` for an `output_files_url`
 */
export async function openResultsFileset(
  { filesets, files }: CallerRegistry,
  job: ResultsOwner,
  { edits, signal }: ResultsFilesetOptions,
): Promise<ResultsFileset> {
  const { workspace, name, folder, isOwn } = await placeOf(job, edits)
  const abortable = signal === undefined ? {} : { signal }
  let isThere = !isOwn

  async function create(): Promise<void> {
    const body = { name, description: `Results of ${job.id}`, custom_fields: { evaluation_job: job.id } }
    await filesets.create(workspace, body, abortable).catch((error: unknown) => {
      if (!isAssayError(error, "already_exists")) throw error
    })
    isThere = true
  }
  async function* list(): AsyncGenerator<FileInfo, void, undefined> {
    let token: string | undefined
    do {
      const page = await files.list(workspace, name, {
        ...(folder === "" ? {} : { path: folder }),
        ...(token === undefined ? {} : { page_token: token }),
        ...abortable,
      })
      yield* page.data
      token = page.next_page_token
    } while (token !== undefined)
  }
  async function* read(path: string): AsyncGenerator<Uint8Array, void, undefined> {
    const { bytes, release } = await files.read(workspace, name, path, abortable)
    for await (const piece of bytes) {
      yield piece
      release?.(piece)
    }
  }
  return {
    workspace,
    name,
    filesUrl: `hf://datasets/${workspace}/${name}${folder === "" ? "" : `/${folder.slice(0, -1)}`}`,
    async write(path, bytes) {
      if (!isThere) await create()
      await files.write(workspace, name, folder + path, bytes, abortable)
    },
    async *files() {
      for await (const { path, size, updated_at } of list()) {
        const mtime = updated_at === null ? 0 : Date.parse(updated_at)
        yield { path: path.slice(folder.length), size, mtime, open: () => read(path) }
      }
    },
    async remove() {
      try {
        if (isOwn) await filesets.remove(workspace, name)
        else for await (const { path } of list()) await files.remove(workspace, name, path, abortable)
      } catch (error) {
        if (!isAssayError(error, "not_found")) throw error
      }
    },
  }
}

async function placeOf({ id, namespace, output_files_url: url }: ResultsOwner, edits: ResultsFilesetOptions["edits"]) {
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
