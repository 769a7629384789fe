import { parse } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { type FilePath, filePathBelow, filePathIn, isFilePath } from "../file-path.ts"
import { openLocalStorage } from "../local/open.ts"
import type { Storage, StoredFile } from "../storage.ts"

/** The parts of a storage that read. */
export type ReadableStorage = Pick<Storage, "type" | "stat" | "list" | "read">

/** Returns a storage that refuses every change with `method_not_allowed`. */
export function readOnly({ type, stat, list, read }: ReadableStorage): Storage {
  const refuse = async (): Promise<never> => {
    throw new AssayError("method_not_allowed", "These files are open for reading only.")
  }
  return {
    type,
    capabilities: {
      write: false,
      delete: false,
      rangedRead: true,
      conditionalWrite: false,
      checksums: false,
      revisions: false,
    },
    stat,
    list,
    read,
    write: refuse,
    delete: refuse,
  }
}

/**
 * Opens the files below a folder of this machine for reading. `folder` is an absolute path. Links are followed wherever they
 * lead: in the cache of a hub client, every file of a model is a link out of its folder. Only if the path of the folder is not a
 * valid file path, links must stay inside the folder.
 */
export function openFolderStorage(folder: string): Storage {
  const { root } = parse(folder)
  const prefix = folder.slice(root.length).replaceAll("\\", "/")
  const isRoot = prefix === ""
  if (isRoot || !isFilePath(prefix)) return readOnly(openLocalStorage({ type: "local", path: folder }))
  const inner = openLocalStorage({ type: "local", path: root })
  const within = (path: FilePath) => filePathIn(prefix, path)
  const shown = (file: StoredFile): StoredFile => ({ ...file, path: filePathBelow(prefix, file.path) })
  return readOnly({
    ...inner,
    stat: async (path, options) => shown(await inner.stat(within(path), options)),
    async *list({ prefix: below = "", after = "", signal } = {}) {
      const last = after === "" ? undefined : `${prefix}/${after}`
      for await (const file of inner.list({ prefix: `${prefix}/${below}`, after: last, signal })) yield shown(file)
    },
    async read(path, options) {
      const result = await inner.read(within(path), options)
      return { ...result, file: shown(result.file) }
    },
  })
}
