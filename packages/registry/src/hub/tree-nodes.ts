import { createHash } from "node:crypto"
import type { Revision, RevisionFile } from "../revisions/revisions.ts"

/** A folder of a revision. Its files are contiguous: from index `from` up to, not including, `to`. */
export interface FolderNode {
  readonly path: string
  readonly from: number
  readonly to: number
}

/** A file or a folder of a revision. */
export type TreeNode = { readonly file: RevisionFile } | { readonly folder: FolderNode }

/** Returns every folder of a revision by path, in the order of its first file. */
export function foldersOf({ files }: Revision): ReadonlyMap<string, FolderNode> {
  const folders = new Map<string, { path: string; from: number; to: number }>()
  for (const [index, { path }] of files.entries()) {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end)
      const known = folders.get(folder)
      if (known === undefined) folders.set(folder, { path: folder, from: index, to: index + 1 })
      else known.to = index + 1
    }
  }
  return folders
}

/**
 * Lists a folder (`""`: the root), each subfolder before its contents. Lists only the next level unless `recursive`. Returns
 * undefined if there is no such folder.
 */
export function nodesIn(tree: Revision, path: string, recursive: boolean): readonly TreeNode[] | undefined {
  const folders = foldersOf(tree)
  const within = path === "" ? { from: 0, to: tree.files.length } : folders.get(path)
  if (within === undefined) return undefined
  const start = path === "" ? 0 : path.length + 1
  const listed = new Set<string>()
  const nodes: TreeNode[] = []
  for (const file of tree.files.slice(within.from, within.to)) {
    let end = file.path.indexOf("/", start)
    const isDirect = end < 0
    for (; end >= 0; end = recursive ? file.path.indexOf("/", end + 1) : -1) {
      const folder = folders.get(file.path.slice(0, end))
      if (folder === undefined || listed.has(folder.path)) continue
      listed.add(folder.path)
      nodes.push({ folder })
    }
    if (isDirect || recursive) nodes.push({ file })
  }
  return nodes
}

/** Returns 40 hex digits that change with the contents of a folder. */
export function folderId({ files }: Revision, { path, from, to }: FolderNode): string {
  const hash = createHash("sha1").update(`${path}\n`)
  for (const file of files.slice(from, to)) hash.update(`${file.path}\0${file.version}\n`)
  return hash.digest("hex")
}
