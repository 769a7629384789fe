import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { basename, dirname, resolve } from "node:path"
import { rowFormatOf } from "@assay/contents"
import { openFilesetDataset, type DatasetOptions, type OpenedDataset } from "@assay/evaluation"
import { isFilePath, parseFilePath, type Storage } from "@assay/storage"
import { openFolderStorage } from "../../../folder-storage.ts"
import { localFailure, systemCode } from "../../../transfer/local-failure.ts"

/**
 * The row files of this machine that `written` names, relative to `folder`: a file, all of a folder, or a glob. Its pin carries
 * their SHA-256, so that it is known what was read.
 * @throws `dataset_missing`, or what the file system says
 */
export async function openLocalDataset(
  written: string,
  folder: string,
  options: DatasetOptions = {},
): Promise<OpenedDataset> {
  const found = await findLocalDataset(written, folder, options)
  const files = []
  for (const file of found.pin.files) {
    files.push({ ...file, sha256: await digestFile(found.storage, file.path, options.signal) })
  }
  return { ...found, pin: { ...found.pin, files } }
}

/** The same without digests: nothing is read. */
export async function findLocalDataset(
  written: string,
  folder: string,
  options: DatasetOptions = {},
): Promise<OpenedDataset> {
  const { root, path, isMissing } = await splitPlace(resolve(folder, written), written)
  const storage = isMissing ? withNeighbours(openFolderStorage(root), root) : openFolderStorage(root)
  const source = {
    getFileset: async () => ({ id: "", storage: { type: "local" as const, path: root }, metadata: {} }),
    openStorage: async () => storage,
  }
  const reference = { text: written, workspace: "local", name: basename(root), path }
  const found = await openFilesetDataset(reference, source, options)
  return { ...found, pin: { ...found.pin, fileset: root } }
}

/** A folder, and what is meant in it. */
interface SplitPlace {
  readonly root: string
  readonly path: string | undefined
  readonly isMissing: boolean
}

async function splitPlace(place: string, written: string): Promise<SplitPlace> {
  const segments = place.split("/")
  const pattern = segments.findIndex((segment) => /[*?[]/.test(segment))
  if (pattern !== -1) {
    const root = segments.slice(0, pattern).join("/") || "/"
    return { root, path: segments.slice(pattern).join("/"), isMissing: false }
  }
  try {
    const isFolder = (await stat(place)).isDirectory()
    if (isFolder) return { root: place, path: undefined, isMissing: false }
    return { root: dirname(place), path: basename(place), isMissing: false }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw localFailure(error, "read", written)
    return { root: dirname(place), path: basename(place), isMissing: true }
  }
}

/** Lists the row files beside the one that is missing: its name may be among them, and what lies deeper is no help. */
function withNeighbours(storage: Storage, root: string): Storage {
  return {
    ...storage,
    async *list({ prefix = "" } = {}) {
      if (prefix !== "" || !existsSync(root)) return
      for (const name of await readdir(root)) {
        if (rowFormatOf(name) !== undefined && isFilePath(name)) yield storage.stat(parseFilePath(name))
      }
    },
  }
}

async function digestFile(storage: Storage, path: string, signal: AbortSignal | undefined): Promise<string> {
  const { bytes } = await storage.read(parseFilePath(path), signal === undefined ? {} : { signal })
  const digest = createHash("sha256")
  for await (const piece of bytes) digest.update(piece)
  return digest.digest("hex")
}
