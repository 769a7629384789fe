import { mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { AssayError } from "@assay/schemas"

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
  /** Moves folders here; one that is missing holds nothing. Answers when a power cut can't undo it. @throws `upstream_failed` */
  put(filesets: readonly FilesetFolder[]): Promise<void>
  /** Moves a folder back, unless there is one again. */
  restore(fileset: FilesetFolder): Promise<void>
  /** Deletes the bytes of a fileset. */
  empty(id: string): Promise<void>
  /** The filesets of which something is kept. */
  ids(): Promise<readonly string[]>
}

/** The trash of the local storage in the folder `root`: beside the filesets, where no path of theirs leads. */
export function openTrash(root: string): Trash {
  const trash = join(root, ".trash")

  async function put(filesets: readonly FilesetFolder[]): Promise<void> {
    const made = await mkdir(trash, { recursive: true })
    const changed = new Set(made === undefined ? [] : [root])
    for (const { id, folder } of filesets) {
      const outcome = await move(folder, join(trash, id))
      if (outcome === "missing") continue
      // Moved by an earlier attempt: what was written since goes with it.
      if (outcome === "taken") await rm(folder, { recursive: true })
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
        const reason = cause instanceof Error ? cause.message : String(cause)
        const message = `The files can't be removed from the default storage (${reason}); check the folder ${root}.`
        throw new AssayError("upstream_failed", message, { context: { storage: "local", path: root }, cause })
      }
    },
    async restore({ id, folder }) {
      await mkdir(dirname(folder), { recursive: true })
      if ((await move(join(trash, id), folder)) === "moved") await sync([trash, dirname(folder)])
    },
    empty: (id) => rm(join(trash, id), { recursive: true, force: true }),
    ids: () =>
      readdir(trash).catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") return []
        throw error
      }),
  }
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

/** Makes the names in folders durable. */
async function sync(folders: Iterable<string>): Promise<void> {
  for (const folder of folders) {
    await using handle = await open(folder)
    await handle.sync()
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined
}
