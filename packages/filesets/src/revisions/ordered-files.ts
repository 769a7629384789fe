import { endOfPrefix, firstFrom, type FolderRange } from "./file-order.ts"
import { folderIds } from "./folder-ids.ts"
import type { RevisionFile } from "./revision-file.ts"

/** Some contiguous files of a revision. */
export interface FileRun {
  /** Index of the first of them. */
  readonly from: number
  readonly files: readonly RevisionFile[]
}

/** The files of a revision, in code-point order of their paths. They are read in runs, because large revisions are not in memory. */
export interface OrderedFiles {
  /** Number of files. */
  readonly count: number
  /** Number of files that this object keeps in memory. */
  readonly held: number
  /** Returns the run with the file of this index. After the last file, it is empty. */
  runAt(index: number): Promise<FileRun>
  /** Returns the index of the first file whose path is not before `path`. */
  indexOf(path: string): Promise<number>
  /** Returns the ids of folders by path. See `folderIds`. */
  folderIds(folders: readonly FolderRange[]): Promise<ReadonlyMap<string, string>>
  /** Finds the files that were listed with one of these digests. */
  withDigests(sha256s: ReadonlySet<string>): Promise<readonly RevisionFile[]>
}

/** Returns files that are in memory. */
export function filesInMemory(files: readonly RevisionFile[]): OrderedFiles {
  const run = { from: 0, files }
  return {
    count: files.length,
    held: files.length,
    runAt: async () => run,
    indexOf: async (path) => firstFrom(files, path),
    folderIds: async (folders) => folderIds(files, folders),
    withDigests: async (sha256s) => files.filter(({ sha256 }) => sha256 !== null && sha256s.has(sha256)),
  }
}

/** Finds a file. Compares about 20 paths in a million. */
export async function findFile(files: OrderedFiles, path: string): Promise<RevisionFile | undefined> {
  const index = await files.indexOf(path)
  const run = await files.runAt(index)
  const file = run.files[index - run.from]
  return file?.path === path ? file : undefined
}

/** Finds a folder. Returns undefined if no file is below it; the root always exists. */
export async function findFolder(files: OrderedFiles, path: string): Promise<FolderRange | undefined> {
  if (path === "") return { path, from: 0, to: files.count }
  const from = await files.indexOf(`${path}/`)
  const to = await endOfFolder(files, path, from)
  return from < to ? { path, from, to } : undefined
}

/** The character after the slash. */
const AFTER_SLASH = "0"

/** Returns the index after the last file below a folder whose first file would have the index `from`. */
export async function endOfFolder(files: OrderedFiles, path: string, from: number): Promise<number> {
  const run = await files.runAt(from)
  const end = endOfPrefix(run.files, `${path}/`, from - run.from)
  return end < run.files.length ? run.from + end : files.indexOf(`${path}${AFTER_SLASH}`)
}

/** Yields the files from index `from` up to, not including, `to`, in runs. */
export async function* runsOf(
  files: OrderedFiles,
  { from, to }: Pick<FolderRange, "from" | "to"> = { from: 0, to: files.count },
): AsyncGenerator<readonly RevisionFile[], void, undefined> {
  for (let index = from; index < to;) {
    const run = await files.runAt(index)
    const part = run.files.slice(index - run.from, to - run.from)
    if (part.length === 0) return
    yield part
    index += part.length
  }
}
