import { isAssayError, type DatasetPin, type Fileset, type StorageConfiguration } from "@assay/schemas"
import type { Storage, StoredFile } from "@assay/storage"
import type { DatasetOptions, OpenedDataset } from "../job-environment.ts"
import { datasetFailure } from "./dataset-failure.ts"
import { datasetMissingError } from "./dataset-missing-error.ts"
import type { FilesUrl } from "./files-url.ts"
import { findDatasetFiles } from "./find-dataset-files.ts"

/** What is needed of the filesets of a workspace, for whoever opens them. */
export interface FilesetSource {
  /** @throws `not_found`, also for what may not be seen */
  readonly getFileset: (workspace: string, name: string) => Promise<Pick<Fileset, "id" | "storage" | "metadata">>
  /** @throws `secret_not_readable` */
  readonly openStorage: (workspace: string, name: string) => Promise<Storage>
  /** Names of filesets, for messages; not all of them. Absent: none are told. */
  readonly listNames?: (workspace: string) => Promise<readonly string[]>
}

/**
 * Opens the row files of a fileset, and tells exactly what they are.
 * @throws `dataset_missing`; `datastore_unreachable`, or the condition of its storage where that is known (`gated_dataset`, …)
 */
export async function openFilesetDataset(
  reference: FilesUrl,
  source: FilesetSource,
  { signal }: DatasetOptions = {},
): Promise<OpenedDataset> {
  const { text, workspace, name, path } = reference
  try {
    const fileset = await getFileset(reference, source)
    const storage = await source.openStorage(workspace, name)
    const { files, others } = await findDatasetFiles(storage, path, signal)
    if (files.length === 0) {
      const what = path === undefined ? "the fileset has no file with rows" : `no file with rows is at '${path}'`
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

async function getFileset({ text, workspace, name }: FilesUrl, { getFileset, listNames }: FilesetSource) {
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

/** Commit or version, as it was resolved when the fileset was made. */
function revisionOf(storage: StorageConfiguration): string | null {
  if (storage.type === "hub") return storage.revision ?? null
  return storage.type === "catalog" ? (storage.version ?? null) : null
}
