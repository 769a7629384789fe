import { createHash } from "node:crypto"
import { endOfPrefix, findFolder, type FolderRange } from "../revisions/file-order.ts"
import type { RevisionFile } from "../revisions/revisions.ts"

/** A file or a folder of a revision. */
export type TreeNode = { readonly file: RevisionFile } | { readonly folder: FolderRange }

/** Where a page of a listing begins: at the file with this index, after `skip` of the nodes that begin there. */
export interface TreePosition {
  readonly index: number
  readonly skip: number
}

export interface NodesQuery {
  /** List all levels. Default: only the next one. */
  readonly recursive: boolean
  readonly start: TreePosition
  readonly limit: number
}

export interface NodesPage {
  readonly nodes: readonly TreeNode[]
  /** Where the next page begins; undefined: this is the last one. */
  readonly next: TreePosition | undefined
}

/** Lists a part of a folder, each subfolder before its contents. Looks only at the files of this part. */
export function nodesIn(
  files: readonly RevisionFile[],
  within: FolderRange,
  { recursive, start, limit }: NodesQuery,
): NodesPage {
  const nodes: TreeNode[] = []
  let index = Math.max(start.index, within.from)
  let { skip } = start
  while (index < within.to) {
    const { begun, after } = nodesAt(files, within, { index, recursive })
    const room = limit - nodes.length
    nodes.push(...begun.slice(skip, skip + room))
    if (begun.length > skip + room) return { nodes, next: { index, skip: skip + room } }
    skip = 0
    index = after
  }
  return { nodes, next: undefined }
}

interface BegunNodes {
  readonly begun: readonly TreeNode[]
  /** Index of the file at which the next nodes begin. */
  readonly after: number
}

/** Returns the nodes that begin at a file: the folders of which it is the first file, then the file itself. */
function nodesAt(
  files: readonly RevisionFile[],
  within: FolderRange,
  { index, recursive }: { readonly index: number; readonly recursive: boolean },
): BegunNodes {
  const file = files[index]
  if (file === undefined) return { begun: [], after: within.to }
  const start = within.path === "" ? 0 : within.path.length + 1
  const end = file.path.indexOf("/", start)
  if (end < 0) return { begun: [{ file }], after: index + 1 }
  if (!recursive) {
    const folder = findFolder(files, file.path.slice(0, end)) ?? within
    return { begun: [{ folder }], after: folder.to }
  }
  const before = index > within.from ? (files[index - 1]?.path ?? "") : ""
  const begun: TreeNode[] = []
  for (let at = end; at >= 0; at = file.path.indexOf("/", at + 1)) {
    if (before.startsWith(file.path.slice(0, at + 1))) continue
    const path = file.path.slice(0, at)
    begun.push({ folder: { path, from: index, to: endOfPrefix(files, `${path}/`, index) } })
  }
  return { begun: [...begun, { file }], after: index + 1 }
}

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
