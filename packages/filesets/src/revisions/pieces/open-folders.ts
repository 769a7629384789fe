import { createHash, type Hash } from "node:crypto"
import type { RevisionFile } from "../revision-file.ts"

/** A folder after its last file. */
export interface EndedFolder {
  readonly path: string
  /** Index of its first file. */
  readonly from: number
  /** The same id as `folderIds` returns. */
  readonly id: string
}

/** Computes the ids of folders while files arrive in the order of their paths. Holds the folders of one path. */
export interface OpenFolders {
  /** Ends the folders that do not contain `path`, the deepest first. Without a path, ends all. */
  endBefore(path?: string): readonly EndedFolder[]
  /** Adds the file with this index, after `endBefore`. */
  add(file: RevisionFile, index: number): void
}

interface OpenFolder {
  readonly path: string
  readonly from: number
  readonly hash: Hash
  text: string
}

/** Length of the text that is hashed at once. */
const MAX_TEXT = 16_384

export function createOpenFolders(): OpenFolders {
  const open: OpenFolder[] = []

  function addText(folder: OpenFolder | undefined, text: string): void {
    // The root has no id.
    if (folder === undefined) return
    folder.text += text
    if (folder.text.length < MAX_TEXT) return
    folder.hash.update(folder.text)
    folder.text = ""
  }

  return {
    endBefore(path) {
      const ended: EndedFolder[] = []
      for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
        if (path !== undefined && path.startsWith(last.path) && path[last.path.length] === "/") break
        open.pop()
        const id = last.hash.update(last.text).digest("hex")
        const parent = open.at(-1)
        addText(parent, `${nameIn(parent, last.path)}/\0${id}\n`)
        ended.push({ path: last.path, from: last.from, id })
      }
      return ended
    },
    add({ path, version }, index) {
      const within = open.at(-1)
      const start = within === undefined ? 0 : within.path.length + 1
      for (let at = path.indexOf("/", start); at >= 0; at = path.indexOf("/", at + 1)) {
        const folder = path.slice(0, at)
        open.push({ path: folder, from: index, hash: createHash("sha1"), text: `${folder}\n` })
      }
      const parent = open.at(-1)
      addText(parent, `${nameIn(parent, path)}\0${version}\n`)
    },
  }
}

function nameIn(folder: OpenFolder | undefined, path: string): string {
  return folder === undefined ? path : path.slice(folder.path.length + 1)
}
