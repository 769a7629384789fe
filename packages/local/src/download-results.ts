import { existsSync } from "node:fs"
import { type EvaluationJob, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { writeWholeFile } from "@assay/storage"
import { keptDecisions } from "./gates/kept-decisions.ts"
import { checkResultsFolder, createFolderSink } from "./runs/results-folder.ts"

interface Call {
  readonly signal: AbortSignal
}

interface DownloadCall extends Call {
  /** Replace the results of another job. Default false. */
  readonly overwrite?: boolean | undefined
}

/** The files of a server's filesets. The HTTP client has them. */
export interface ServedFiles {
  list(workspace: string, fileset: string, query: object, call: Call): AsyncIterable<{ readonly path: string }>
  read(
    workspace: string,
    fileset: string,
    path: string,
    call: Call,
  ): Promise<{ readonly bytes: AsyncIterable<Uint8Array> }>
}

/**
 * Downloads the files of a job's results into a folder: `config/` and `results/` as they are in their fileset.
 * @throws `path_conflict` if the folder has other files, `output_exists` if it has the results of another job, `bad_answer` if the server names a path outside the folder
 */
export async function downloadResultFiles(
  files: ServedFiles,
  { id, namespace }: Pick<EvaluationJob, "id" | "namespace">,
  folder: string,
  { overwrite = false, ...call }: DownloadCall,
): Promise<void> {
  await checkResultsFolder(folder, { overwrite, isSame: (job) => job.id === id })
  const fileset = `evaluation-${id}`
  const sink = createFolderSink(folder)
  for await (const { path } of files.list(namespace, fileset, {}, call)) {
    if (path.split("/").includes("..")) {
      throw new AssayError("bad_answer", `The results of ${printable(id)} contain the path '${printable(path)}'.`)
    }
    const { bytes } = await files.read(namespace, fileset, path, call)
    await sink.write(path, () => bytes)
  }
  await keptDecisions.keep(folder, {})
}

/**
 * Writes a results archive under a temporary name and renames it when it is complete. Returns its size in bytes.
 * @throws `output_exists` if the file exists and must not be replaced
 */
export async function writeResultsArchive(
  archive: AsyncIterable<Uint8Array>,
  file: string,
  { overwrite = false, signal }: DownloadCall,
): Promise<number> {
  if (!overwrite && existsSync(file)) {
    const message = `'${printable(file)}' exists already.`
    throw new AssayError("output_exists", message)
  }
  return writeWholeFile(file, archive, { signal })
}
