import { isAssayError, isLocalPath, type DatasetPin, type Fileset, type StorageConfiguration } from "@assay/schemas"
import { quotePath, type Storage, type StoredFile } from "@assay/storage"
import type { DatasetOptions, OpenedDataset } from "../job-environment.ts"
import { datasetFailure, datasetMissingError } from "./dataset-errors.ts"
import type { FilesUrl } from "./files-url.ts"
import { findDatasetFiles } from "./find-dataset-files.ts"

/** The filesets that datasets are opened from. */
export interface FilesetSource {
  /** @throws `not_found`, also for filesets that the job may not see */
  readonly getFileset: (
    workspace: string,
    name: string,
  ) => Promise<Pick<Fileset, "id" | "purpose" | "storage" | "metadata">>
  /** @throws `secret_not_readable` */
  readonly openStorage: (workspace: string, name: string) => Promise<Storage>
  /** Lists names of filesets for messages, not necessarily all. Absent: messages have none. */
  readonly listNames?: (workspace: string) => Promise<readonly string[]>
}

/**
 * Opens the row files of a fileset, and pins the content of each.
 * @throws `dataset_missing`; `datastore_unreachable`, or the condition of its storage if that is known (`gated_dataset`, …)
 */
export async function openFilesetDataset(
  reference: FilesUrl,
  source: FilesetSource,
  { signal }: DatasetOptions = {},
): Promise<OpenedDataset> {
  const { text, workspace, name, path } = reference
  try {
    const fileset = await findFileset(reference, source)
    const opened = await source.openStorage(workspace, name)
    const { storage, files, others } = await findDatasetFiles(opened, path, signal)
    if (files.length === 0) {
      const kind = isLocalPath(text) ? "folder" : "fileset"
      const what = path === undefined ? `the ${kind} has no file with rows` : `no file with rows is at '${path}'`
      throw datasetMissingError(text, path ?? name, { what, names: others })
    }
    return {
      storage,
      paths: files.map((file) => file.path),
      metadata: fileset.metadata.dataset,
      pin: pinOf(reference, fileset, files),
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw datasetFailure(text, error)
  }
}

/** Returns a fileset that a job names. @throws `dataset_missing` with similar names */
export async function findFileset(
  { text, workspace, name }: Pick<FilesUrl, "text" | "workspace" | "name">,
  { getFileset, listNames }: FilesetSource,
): ReturnType<FilesetSource["getFileset"]> {
  try {
    return await getFileset(workspace, name)
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    const names = await listNames?.(workspace).catch(() => [])
    const what = error.message.replace(/\.$/, "").replace(/^\w/, (first) => first.toLowerCase())
    throw datasetMissingError(text, name, { what, names: names ?? [], cause: error })
  }
}

function pinOf(
  { text, workspace, name }: FilesUrl,
  { id, storage }: Pick<Fileset, "id" | "storage">,
  files: readonly StoredFile[],
): DatasetPin {
  return {
    files_url: text,
    fileset: `${workspace}/${name}`,
    fileset_id: id,
    revision: revisionOf(storage),
    files: files.map(({ path, size, sha256, etag }) => ({ path, size, sha256, etag })),
  }
}

/** Returns the commit or version that was resolved when the fileset was created. */
function revisionOf(storage: StorageConfiguration): string | null {
  if (storage.type === "hub") return storage.revision ?? null
  return storage.type === "catalog" ? (storage.version ?? null) : null
}

const MAX_SHOWN = 8

/**
 * Returns the files whose path has the name of the split as a word: `data/test-00000.parquet` and `test/rows.jsonl` are files of
 * `test`. The only file of a dataset is a file of every split.
 * @throws `dataset_missing`
 */
export function pathsOfSplit({ paths, pin }: OpenedDataset, split: string | undefined): OpenedDataset["paths"] {
  if (split === undefined || paths.length === 1) return paths
  const found = paths.filter((path) => path.split(/[^\p{L}\p{N}]+/u).includes(split))
  if (found.length > 0) return found
  const names = paths.slice(0, MAX_SHOWN).map(quotePath).join(", ")
  throw datasetMissingError(pin.files_url, split, { what: `it has no file of the split '${split}', but ${names}` })
}
