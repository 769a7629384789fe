import { parse } from "node:path"
import { isFilePath, openLocalStorage, parseFilePath, type Storage, type StoredFile } from "@assay/storage"
import { readOnly } from "./read-only.ts"

/**
 * The files below a folder of this machine, to be read. Links are followed wherever they lead, as far as the user may read:
 * in the cache of a hub's client, every file of a model is a link out of its folder. `folder` is absolute.
 */
export function openFolderStorage(folder: string): Storage {
  const { root } = parse(folder)
  const prefix = folder.slice(root.length).replaceAll("\\", "/")
  const isRoot = prefix === ""
  // Names that no fileset can have are fine around the folder, but then links have to stay inside it.
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
