import { parse } from "node:path"
import { isFilePath, parseFilePath } from "../file-path.ts"
import { openLocalStorage } from "../local/open.ts"
import type { Storage, StoredFile } from "../storage.ts"
import { readOnly } from "./read-only.ts"

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
  const within = (path: string) => parseFilePath(`${prefix}/${path}`)
  const shown = (file: StoredFile): StoredFile => ({
    ...file,
    path: parseFilePath(file.path.slice(prefix.length + 1)),
  })
  return readOnly({
    ...inner,
    stat: async (path, options) => shown(await inner.stat(within(path), options)),
    async *list({ prefix: below = "", after = "", signal } = {}) {
      const rest = after === "" ? {} : { after: `${prefix}/${after}` }
      const options = { prefix: `${prefix}/${below}`, ...rest, ...(signal === undefined ? {} : { signal }) }
      for await (const file of inner.list(options)) yield shown(file)
    },
    async read(path, options) {
      const result = await inner.read(within(path), options)
      return { ...result, file: shown(result.file) }
    },
  })
}
