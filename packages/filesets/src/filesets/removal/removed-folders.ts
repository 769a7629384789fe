import { link, readdir, rename } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { AssayError, messageOf } from "@assay/schemas"
import { createFolder, diskFailure, syncFolder } from "@assay/storage"
import { removeFolder } from "./remove-folder.ts"

/** A fileset and its folder. */
export interface FilesetFolder {
  readonly id: string
  readonly folder: string
}

/**
 * The folders of removed filesets, until they are deleted. A folder moves here in one step, so that a fileset of the same
 * name never sees the old files. It moves back if the record still exists. A removal can need several attempts, and other
 * servers can write files in between: each attempt moves the files that it finds, and deletes nothing.
 */
export interface RemovedFolders {
  /** Moves folders here, durably. Missing folders are skipped. @throws `upstream_failed` */
  put(filesets: readonly FilesetFolder[]): Promise<void>
  /** Moves the files of all attempts back. If several files have the same name, the newest is kept. */
  restore(fileset: FilesetFolder): Promise<void>
  /** Deletes the folders of a fileset. @throws the reason of the signal */
  empty(id: string, signal?: AbortSignal): Promise<void>
  /** Lists the filesets that have folders here. */
  ids(): Promise<readonly string[]>
}

/** Opens the removed folders of the local storage in `root`. They are outside the folders of filesets, so no file path leads to them. */
export function openRemovedFolders(root: string): RemovedFolders {
  const trash = join(root, ".trash")

  async function names(): Promise<readonly string[]> {
    try {
      return await readdir(trash)
    } catch (error) {
      if (codeOf(error) === "ENOENT") return []
      throw error
    }
  }

  /** Returns the folders that attempts to remove a fileset have moved here, newest first. */
  async function takenOf(id: string): Promise<readonly string[]> {
    const taken = (await names()).filter((name) => idOf(name) === id)
    return taken.toSorted((a, b) => attemptOf(b) - attemptOf(a)).map((name) => join(trash, name))
  }

  async function put(filesets: readonly FilesetFolder[]): Promise<void> {
    await createFolder(trash)
    const changed = new Set<string>()
    for (const { id, folder } of filesets) {
      let outcome = await move(folder, join(trash, id))
      while (outcome === "taken") {
        const [newest = id] = await takenOf(id)
        outcome = await move(folder, join(trash, `${id}${ATTEMPT}${attemptOf(newest) + 1}`))
      }
      if (outcome === "missing") continue
      changed.add(dirname(folder)).add(trash)
    }
    await sync(changed)
  }

  return {
    async put(filesets) {
      if (filesets.length === 0) return
      try {
        await put(filesets)
      } catch (cause) {
        const failure = diskFailure(cause)
        if (failure !== undefined) throw failure
        const reason = messageOf(cause)
        const message = `The files can't be removed from the default storage (${reason}); check the folder ${root}.`
        throw new AssayError("upstream_failed", message, { context: { storage: "local", path: root }, cause })
      }
    },
    async restore({ id, folder }) {
      const taken = await takenOf(id)
      if (taken.length === 0) return
      await createFolder(dirname(folder))
      for (const from of taken) await giveBack(from, folder)
      await sync([trash, dirname(folder)])
    },
    async empty(id, signal) {
      for (const folder of await takenOf(id)) await removeFolder(folder, signal)
    },
    ids: async () => [...new Set((await names()).map(idOf))],
  }
}

/** Separates the id and the number of the attempt. No id contains it. */
const ATTEMPT = "~"

function idOf(name: string): string {
  return name.split(ATTEMPT, 1)[0] ?? name
}

function attemptOf(path: string): number {
  return Number(basename(path).split(ATTEMPT)[1] ?? 1)
}

/** Moves a folder back. If the target exists, moves only the files whose names are free. */
async function giveBack(from: string, to: string): Promise<void> {
  if ((await move(from, to)) !== "taken") return
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    await (entry.isDirectory() ? giveBack(source, target) : link(source, target)).catch(unlessTaken)
  }
  await sync([to])
  await removeFolder(from)
}

/** Ignores that a name is taken. ENOTDIR: a newer file has the name of an older folder. */
function unlessTaken(error: unknown): void {
  if (codeOf(error) !== "EEXIST" && codeOf(error) !== "ENOTDIR") throw error
}

async function move(from: string, to: string): Promise<"moved" | "missing" | "taken"> {
  try {
    await rename(from, to)
    return "moved"
  } catch (error) {
    const code = codeOf(error)
    if (code === "ENOENT") return "missing"
    if (code === "ENOTEMPTY" || code === "EEXIST") return "taken"
    throw error
  }
}

/** Makes renames in folders durable. */
async function sync(folders: Iterable<string>): Promise<void> {
  for (const folder of folders) await syncFolder(folder)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined
}
