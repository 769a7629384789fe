import { AssayError, type HubTreeEntry } from "@assay/schemas"
import { type CallerFilesets, findFolder, nodesIn, type TreeNode, type TreePosition } from "@assay/filesets"
import { parseRevision, type RevisionAddress } from "./hub-address.ts"
import { describeNodes } from "./tree-entry.ts"

/** Maximum number of entries of a page. */
export const MAX_TREE_PAGE = 1000

export interface TreeQuery {
  /** Path of the folder; empty: the root. */
  readonly folder: string
  /** Include the contents of subfolders. */
  readonly recursive: boolean
  /** Include the last commit. */
  readonly expand: boolean
  /** At most 1,000. */
  readonly limit: number
  /** Cursor of the page. Default: the first page. */
  readonly cursor: string | undefined
}

export interface TreePage {
  readonly commit: string
  readonly entries: HubTreeEntry[]
  /** Cursor of the next page; undefined: this is the last one. */
  readonly next: string | undefined
}

/** Lists a folder of a revision. @throws `not_found`, `bad_page_token` */
export async function listTree(
  registry: CallerFilesets,
  { ws, name, rev }: RevisionAddress,
  { folder, recursive, expand, limit, cursor }: TreeQuery,
): Promise<TreePage> {
  const tree = await registry.revisions.get(ws, name, parseRevision(rev))
  const within = await findFolder(tree.files, folder)
  if (within === undefined) {
    const message = `There is no folder '${folder}' in '${ws}/${name}' at commit ${tree.commit}.`
    throw new AssayError("not_found", message, { context: { path: folder, commit: tree.commit } })
  }
  const start = parseCursor(cursor)
  const { nodes, next } = await nodesIn(tree.files, within, { recursive, start, limit: Math.min(limit, MAX_TREE_PAGE) })
  const entries = await describeNodes(registry, { ws, name, tree, expand }, nodes)
  return { commit: tree.commit, entries, next: next && formatCursor(next) }
}

/** Describes files and folders of a revision. Leaves out paths that do not exist. */
export async function describePaths(
  registry: CallerFilesets,
  { ws, name, rev }: RevisionAddress,
  { paths, expand }: { readonly paths: readonly string[]; readonly expand: boolean },
): Promise<Omit<TreePage, "next">> {
  const tree = await registry.revisions.get(ws, name, parseRevision(rev))
  const nodes: TreeNode[] = []
  for (const path of paths) {
    const file = await tree.get(path)
    const folder = file === undefined ? await findFolder(tree.files, path.replace(/\/$/, "")) : undefined
    if (file !== undefined) nodes.push({ file })
    else if (folder !== undefined && folder.path !== "") nodes.push({ folder })
  }
  return { commit: tree.commit, entries: await describeNodes(registry, { ws, name, tree, expand }, nodes) }
}

/** Formats the start of the next page as a cursor, which clients send back. */
function formatCursor({ index, skip }: TreePosition): string {
  return Buffer.from(`${index}.${skip}`).toString("base64url")
}

/** @throws `bad_page_token` */
function parseCursor(cursor: string | undefined): TreePosition {
  if (cursor === undefined) return { index: 0, skip: 0 }
  const parts = /^(\d{1,9})\.(\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString())
  if (parts !== null) return { index: Number(parts[1]), skip: Number(parts[2]) }
  throw new AssayError(
    "bad_page_token",
    `The cursor '${cursor}' was not issued by this server. Use the one in the Link header.`,
  )
}
