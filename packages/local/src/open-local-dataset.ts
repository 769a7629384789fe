import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { basename, dirname, resolve, sep } from "node:path"
import { rowFormatOf } from "@assay/contents"
import {
  type FilePath,
  isFilePath,
  localFailure,
  openFolderStorage,
  parseFilePath,
  type Storage,
  systemCode,
} from "@assay/storage"
import { datasetFailure, type JobEnvironment, type OpenedDataset, openFilesetDataset } from "@assay/evaluation"

type DatasetOptions = NonNullable<Parameters<JobEnvironment["openDataset"]>[1]>

/** Folders that the paths of rows on this machine are relative to. */
export interface LocalBase {
  readonly folder: string
  /** The folder that `~` means. */
  readonly home: string
  /** SHA-256 of files by path and version, so that each file is read for its digest only once. */
  readonly digests: Map<string, string>
}

/**
 * Opens row files of this machine: a file, all files of a folder, or the files that match a glob. The pin contains their SHA-256.
 * @throws `dataset_missing`, or the error of the file system
 */
export async function openLocalDataset(
  written: string,
  base: LocalBase,
  options: DatasetOptions = {},
): Promise<OpenedDataset> {
  const found = await findLocalDataset(written, base, options)
  const files = []
  for (const file of found.pin.files) {
    const key = JSON.stringify([found.pin.fileset, file.path, file.size, file.etag])
    const sha256 = base.digests.get(key) ?? (await digestFile(found.storage, file.path, options.signal))
    base.digests.set(key, sha256)
    files.push({ ...file, sha256 })
  }
  return { ...found, pin: { ...found.pin, files } }
}

/** Finds the row files like `openLocalDataset`, without their digests: no file is read. */
export async function findLocalDataset(
  written: string,
  base: Pick<LocalBase, "folder" | "home">,
  options: DatasetOptions = {},
): Promise<OpenedDataset> {
  const absolute = localPath(written, base)
  const { root, path, isMissing } = await splitPath(absolute, written)
  const storage = isMissing ? withSiblings(openFolderStorage(root), root) : openFolderStorage(root)
  const source = {
    getFileset: async () => ({
      id: "",
      purpose: "dataset" as const,
      storage: { type: "local" as const, path: root },
      metadata: {},
    }),
    openStorage: async () => storage,
  }
  const reference = { text: written, workspace: "local", name: basename(root), path: parsePath(path, written) }
  const found = await openFilesetDataset(reference, source, options)
  return { ...found, pin: { ...found.pin, fileset: root } }
}

/** Returns the absolute path of a file or folder of this machine. */
export function localPath(written: string, { folder, home }: Pick<LocalBase, "folder" | "home">): string {
  return resolve(
    folder,
    written.replace(/^~(?=$|[\\/])/, () => home),
  )
}

function parsePath(path: string | undefined, written: string): FilePath | undefined {
  try {
    return path === undefined ? undefined : parseFilePath(path)
  } catch (error) {
    throw datasetFailure(written, error)
  }
}

/** A folder, and the file or the glob in it. */
interface SplitPath {
  readonly root: string
  readonly path: string | undefined
  readonly isMissing: boolean
}

async function splitPath(absolute: string, written: string): Promise<SplitPath> {
  const file = { root: dirname(absolute), path: basename(absolute) }
  try {
    const isFolder = (await stat(absolute)).isDirectory()
    return isFolder ? { root: absolute, path: undefined, isMissing: false } : { ...file, isMissing: false }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw localFailure(error, "read", written)
  }
  const segments = absolute.split(sep)
  const pattern = segments.findIndex((segment) => /[*?[]/.test(segment))
  if (pattern === -1) return { ...file, isMissing: true }
  const root = segments.slice(0, pattern).join(sep) || sep
  return { root, path: segments.slice(pattern).join("/"), isMissing: false }
}

/** Restricts the listing to row files next to the missing file, because the message suggests names from it. */
function withSiblings(storage: Storage, root: string): Storage {
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
