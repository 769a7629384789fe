import { closeSync, fsync } from "node:fs"
import { promisify } from "node:util"
import { isMissing, outsideRoot } from "../errors.ts"
import { quickLook, realPathOf } from "./quick-look.ts"
import { pathWithin, resolveFolder, systemPath, folderOf } from "./root.ts"

/** An open folder inside the root. What is reached through it can't be led elsewhere by a link made meanwhile. */
export interface Folder {
  /** Where it really lies, relative to the root; empty for the root itself. */
  readonly path: string
  /** The same as an absolute path: one name for one folder, however it was reached. */
  readonly real: string
  /** Where the system finds an entry. */
  at(name: string): string
  /** Makes the names in it durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** @throws `bad_path` where a link leads outside; the system's error where there is no such folder */
export async function openFolder(root: string, path: string): Promise<Folder> {
  const fd = await openDescriptor(root, path)
  let isOpen = true
  const close = async () => {
    // Twice would close what has got the number since.
    if (isOpen) closeSync(fd)
    isOpen = false
  }
  try {
    const { real, steady } = await realPathOf({ fd }, systemPath(root, path))
    const within = await pathWithin(root, real)
    if (within === undefined) throw outsideRoot(path)
    return {
      path: within,
      real,
      at: (name) => `${steady}/${name}`,
      sync: () => promisify(fsync)(fd),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openDescriptor(root: string, path: string): Promise<number> {
  try {
    return quickLook.folder(systemPath(root, path))
  } catch (error) {
    if (path !== "" && isMissing(error)) await resolveFolder(root, folderOf(path))
    throw error
  }
}
