import { createHash } from "node:crypto"
import { stat } from "node:fs/promises"
import { basename, dirname, resolve } from "node:path"
import { openFilesetDataset, type DatasetOptions, type FilesUrl, type OpenedDataset } from "@assay/evaluation"
import type { DatasetPin } from "@assay/schemas"
import { parseFilePath, type Storage } from "@assay/storage"
import { openFolderStorage } from "../../../folder-storage.ts"
import { localFailure } from "../../../transfer/local-failure.ts"

/**
 * The row files of this machine that `written` names, relative to `folder`: a file, all of a folder, or a glob. Its pin carries their
 * SHA-256, so that it is known what was read.
 * @throws `dataset_missing`, or what the file system says
 */
export async function openLocalDataset(
  written: string,
  folder: string,
  options: DatasetOptions = {},
): Promise<OpenedDataset> {
  const { root, path } = await splitPlace(resolve(folder, written), written)
  const reference: FilesUrl = { text: written, workspace: "local", name: basename(root), path }
  const storage = openFolderStorage(root)
  const found = await openFilesetDataset(
    reference,
    {
      getFileset: async () => ({
        id: "",
        storage: { type: "local", path: root, read_chunk_size: 1_048_576, write_buffer_size: 16_777_216 },
        metadata: {},
      }),
      openStorage: async () => storage,
    },
    options,
  )
  const files: DatasetPin["files"] = []
  for (const file of found.pin.files) {
    files.push({ ...file, sha256: await digestFile(storage, file.path, options.signal) })
  }
  return { ...found, pin: { ...found.pin, fileset: root, files } }
}

/** A folder that is there, and what is meant in it. */
async function splitPlace(place: string, written: string): Promise<{ root: string; path: string | undefined }> {
  const segments = place.split("/")
  const pattern = segments.findIndex((segment) => /[*?[]/.test(segment))
  if (pattern !== -1) return { root: segments.slice(0, pattern).join("/") || "/", path: segments.slice(pattern).join("/") }
  try {
    if ((await stat(place)).isDirectory()) return { root: place, path: undefined }
  } catch (error) {
    // What is not there is told together with the names that are near it.
    if (!isMissing(error)) throw localFailure(error, "read", written)
  }
  return { root: dirname(place), path: basename(place) }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT"
}

async function digestFile(storage: Storage, path: string, signal: AbortSignal | undefined): Promise<string> {
  const { bytes } = await storage.read(parseFilePath(path), signal === undefined ? {} : { signal })
  const digest = createHash("sha256")
  for await (const piece of bytes) digest.update(piece)
  return digest.digest("hex")
}
