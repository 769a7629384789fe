import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { basename, dirname, resolve, sep } from "node:path"
import { rowFormatOf } from "@assay/contents"
import { openFilesetDataset, type DatasetOptions, type OpenedDataset } from "@assay/evaluation"
import { isFilePath, parseFilePath, type Storage } from "@assay/storage"
import { openFolderStorage } from "@assay/storage"
import { localFailure, systemCode } from "@assay/storage/paths"

/** What places of this machine are relative to. */
export interface LocalBase {
  readonly folder: string
  /** What `~` stands for. */
  readonly home: string
  /** SHA-256 of files that were read before, by place and version: a large file is read for it once. */
  readonly digests: Map<string, string>
}

/**
 * The row files of this machine that `written` names: a file, all of a folder, or a glob. Its pin carries their SHA-256, so that
 * it is known what was read.
 * @throws `dataset_missing`, or what the file system says
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

/** The same without digests: nothing is read. */
export async function findLocalDataset(
  written: string,
  { folder, home }: Pick<LocalBase, "folder" | "home">,
  options: DatasetOptions = {},
): Promise<OpenedDataset> {
  const place = resolve(
    folder,
    written.replace(/^~(?=$|[\\/])/, () => home),
  )
  const { root, path, isMissing } = await splitPlace(place, written)
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
  const file = { root: dirname(place), path: basename(place) }
  try {
    const isFolder = (await stat(place)).isDirectory()
    return isFolder ? { root: place, path: undefined, isMissing: false } : { ...file, isMissing: false }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw localFailure(error, "read", written)
  }
  const segments = place.split(sep)
  const pattern = segments.findIndex((segment) => /[*?[]/.test(segment))
  if (pattern === -1) return { ...file, isMissing: true }
  const root = segments.slice(0, pattern).join(sep) || sep
  return { root, path: segments.slice(pattern).join("/"), isMissing: false }
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
