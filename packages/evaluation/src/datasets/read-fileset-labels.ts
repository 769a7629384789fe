import { AssayError, isAssayError, isLocalPath, LABELS_FILE } from "@assay/schemas"
import { parseFilePath, type FilePath } from "@assay/storage"
import { datasetFailure, datasetMissingError } from "./dataset-errors.ts"
import { parseFilesUrl } from "./files-url.ts"
import { findFileset, type FilesetSource } from "./open-fileset-dataset.ts"
import { labelStore } from "@assay/results"
import type { NamedLabels } from "../job-environment.ts"

/** The file with labels that a metric names. */
export interface LabelReference extends ReturnType<typeof labelStore.locate> {
  /** As it was written, for messages. */
  readonly text: string
  /** Undefined: `labels.jsonl`, which may be missing while the fileset has no label. */
  readonly path: FilePath | undefined
}

/**
 * Reads the `labels` of a metric: `workspace/name`, or `name` in the workspace of the job, each with `#path` for another file than
 * `labels.jsonl`; or a `files_url`.
 * @throws `invalid_request`, `dataset_format`
 */
function parseLabelReference(text: string, workspace: string): LabelReference {
  if (isLocalPath(text)) {
    const message = `'${text}' is a place on one machine, and a server reads labels from filesets; put the labels there with 'assay label add', and write <workspace>/<name>.`
    throw new AssayError("invalid_request", message)
  }
  if (!/[#:]/.test(text)) return { text, ...labelStore.locate(text, workspace), path: undefined }
  const { path, ...location } = parseFilesUrl(text, workspace)
  return { ...location, path: path === undefined ? undefined : parseFilePath(path) }
}

/**
 * Reads the labels of a fileset.
 * @throws `dataset_missing`; `invalid_request` for a fileset of another purpose, and for a line that is not a label; the condition of its
 *   storage
 */
async function readFilesetLabels(
  reference: LabelReference,
  source: FilesetSource,
  signal?: AbortSignal,
): Promise<NamedLabels> {
  const { text, workspace, name, path } = reference
  const { purpose } = await findFileset(reference, source).catch((error: unknown) => {
    throw isAssayError(error, "dataset_missing") ? filesetMissing(reference, error) : error
  })
  if (purpose !== "dataset") {
    const message = `'${text}' has the purpose '${purpose}'; labels are in filesets with the purpose 'dataset'.`
    throw new AssayError("invalid_request", message)
  }
  const shown = path === undefined ? `${workspace}/${name}` : `${workspace}/${name}#${path}`
  const file = `${workspace}/${name}#${path ?? LABELS_FILE}`
  try {
    const storage = await source.openStorage(workspace, name)
    const { bytes } = await storage.read(path ?? parseFilePath(LABELS_FILE), { signal })
    return { name: shown, rows: await labelStore.read(bytes, file) }
  } catch (error) {
    signal?.throwIfAborted()
    if (isAssayError(error, "invalid_request")) throw error
    if (!isAssayError(error, "not_found")) throw datasetFailure(text, error)
    if (path === undefined) return { name: shown, rows: [] }
    throw datasetMissingError(text, path, { what: `no file is at '${path}'`, cause: error })
  }
}

function filesetMissing({ text, workspace, name }: LabelReference, cause: AssayError): AssayError {
  const near = Array.isArray(cause.context["near_names"]) ? cause.context["near_names"] : []
  const meant = near.length === 0 ? "" : `; near it: ${near.map((one) => `'${one}'`).join(", ")}`
  const message = `There are no labels '${text}': fileset '${name}' not found in workspace '${workspace}'${meant}.`
  const remedy = `Correct the name. The first label creates the fileset: assay label add <job> --metric <name> --labels ${workspace}/${name}.`
  return new AssayError("dataset_missing", message, { cause, context: { ...cause.context, remedy } })
}

/** Labels of people in filesets. */
export const filesetLabels = Object.freeze({ parse: parseLabelReference, read: readFilesetLabels })
