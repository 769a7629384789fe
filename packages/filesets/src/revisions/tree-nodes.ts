import type { FolderRange } from "./file-order.ts"
import { endOfFolder, type OrderedFiles } from "./ordered-files.ts"
import type { RevisionFile } from "./revision-file.ts"

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
export async function nodesIn(
  files: OrderedFiles,
  within: FolderRange,
  { recursive, start, limit }: NodesQuery,
): Promise<NodesPage> {
  const nodes: TreeNode[] = []
  let index = Math.max(start.index, within.from)
  let { skip } = start
  while (index < within.to) {
    const { begun, after } = await nodesAt(files, within, { index, recursive })
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
async function nodesAt(
  files: OrderedFiles,
  within: FolderRange,
  { index, recursive }: { readonly index: number; readonly recursive: boolean },
): Promise<BegunNodes> {
  const file = await fileAt(files, index)
  if (file === undefined) return { begun: [], after: within.to }
  const start = within.path === "" ? 0 : within.path.length + 1
  const end = file.path.indexOf("/", start)
  if (end < 0) return { begun: [{ file }], after: index + 1 }
  if (!recursive) {
    const path = file.path.slice(0, end)
    const to = await endOfFolder(files, path, index)
    return { begun: [{ folder: { path, from: index, to } }], after: to }
  }
  const before = index > within.from ? ((await fileAt(files, index - 1))?.path ?? "") : ""
  const begun: TreeNode[] = []
  for (let at = end; at >= 0; at = file.path.indexOf("/", at + 1)) {
    if (before.startsWith(file.path.slice(0, at + 1))) continue
    const path = file.path.slice(0, at)
    begun.push({ folder: { path, from: index, to: await endOfFolder(files, path, index) } })
  }
  return { begun: [...begun, { file }], after: index + 1 }
}

async function fileAt(files: OrderedFiles, index: number): Promise<RevisionFile | undefined> {
  const run = await files.runAt(index)
  return run.files[index - run.from]
}
