import { createHash } from "node:crypto"
import { endOfPrefix, type FolderRange } from "./file-order.ts"
import type { RevisionFile } from "./revision-file.ts"

/** Length of the text that is hashed at once. */
const MAX_TEXT = 65_536

/**
 * Returns 40 hex digits for each folder that change with its contents. The id of a folder covers the names and versions of
 * its files and the ids of its subfolders, so each file is looked at once, however deep its folders are.
 */
export function folderIds(
  files: readonly RevisionFile[],
  folders: readonly FolderRange[],
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (const folder of folders) {
    if (!ids.has(folder.path)) addId(files, folder, ids)
  }
  return ids
}

/** Adds the id of a folder, and those of all folders below it. */
function addId(files: readonly RevisionFile[], { path, from, to }: FolderRange, ids: Map<string, string>): string {
  const hash = createHash("sha1")
  const start = path.length + 1
  let text = `${path}\n`
  let index = from
  while (index < to) {
    const file = files[index]
    if (file === undefined) break
    const end = file.path.indexOf("/", start)
    if (end < 0) {
      text += `${file.path.slice(start)}\0${file.version}\n`
      index += 1
    } else {
      const folder = {
        path: file.path.slice(0, end),
        from: index,
        to: endOfPrefix(files, file.path.slice(0, end + 1), index),
      }
      text += `${file.path.slice(start, end)}/\0${addId(files, folder, ids)}\n`
      index = folder.to
    }
    if (text.length < MAX_TEXT) continue
    hash.update(text)
    text = ""
  }
  const id = hash.update(text).digest("hex")
  ids.set(path, id)
  return id
}
