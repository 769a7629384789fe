import { mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"

/** The folder of a fileset. */
export interface FilesetFolder {
  readonly id: string
  readonly folder: string
}

/**
 * Where the folder of a removed fileset waits for its deletion. It goes there in one step, so that a fileset of the same
 * name never sees the old files, and comes back if its record turns out to be there still.
 */
export interface Trash {
  /** Moves folders here; one that is missing holds nothing. Answers when a power cut can't undo it. */
  put(filesets: readonly FilesetFolder[]): Promise<void>
  /** Moves a folder back, unless there is one again. */
  restore(fileset: FilesetFolder): Promise<void>
  /** Deletes the bytes of a fileset. */
  empty(id: string): Promise<void>
  /** The filesets that something is kept of. */
  ids(): Promise<readonly string[]>
}

/** The trash of the local storage in the folder `root`: beside the filesets, where no path of theirs leads. */
export function openTrash(root: string): Trash {
  const trash = join(root, ".trash")
  return {
    async put(filesets) {
      await mkdir(trash, { recursive: true })
      const changed = new Set<string>()
      for (const { id, folder } of filesets) {
        if (await move(folder, join(trash, id))) changed.add(dirname(folder))
      }
      if (changed.size > 0) await sync([...changed, trash])
    },
    async restore({ id, folder }) {
      await mkdir(dirname(folder), { recursive: true })
      if (await move(join(trash, id), folder)) await sync([trash, dirname(folder)])
    },
    empty: (id) => rm(join(trash, id), { recursive: true, force: true }),
    ids: () => unlessMissing(readdir(trash), []),
  }
}

function move(from: string, to: string): Promise<boolean> {
  return unlessMissing(
    rename(from, to).then(() => true),
    false,
  )
}

async function sync(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await using handle = await open(folder)
    await handle.sync()
  }
}

async function unlessMissing<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return otherwise
    throw error
  }
}
