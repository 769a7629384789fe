import { AssayError, type HubTreeEntry } from "@assay/schemas"
import type { CallerRegistry } from "../registry.ts"
import { parseRevision, type RevisionAddress } from "./hub-address.ts"
import { describeNodes } from "./tree-entry.ts"
import { foldersOf, nodesIn, type TreeNode } from "./tree-nodes.ts"

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
  registry: CallerRegistry,
  { ws, name, rev }: RevisionAddress,
  { folder, recursive, expand, limit, cursor }: TreeQuery,
): Promise<TreePage> {
  const tree = await registry.revisions.get(ws, name, parseRevision(rev))
  const nodes = nodesIn(tree, folder, recursive)
  if (nodes === undefined) {
    const message = `There is no folder '${folder}' in '${ws}/${name}' at commit ${tree.commit}.`
    throw new AssayError("not_found", message, { context: { path: folder, commit: tree.commit } })
  }
  const start = parseCursor(cursor)
  const end = start + Math.min(limit, MAX_TREE_PAGE)
  const entries = await describeNodes(registry, { ws, name, tree, expand }, nodes.slice(start, end))
  return { commit: tree.commit, entries, next: end < nodes.length ? formatCursor(end) : undefined }
}

/** Describes files and folders of a revision. Leaves out paths that do not exist. */
export async function describePaths(
  registry: CallerRegistry,
  { ws, name, rev }: RevisionAddress,
  { paths, expand }: { readonly paths: readonly string[]; readonly expand: boolean },
): Promise<Omit<TreePage, "next">> {
  const tree = await registry.revisions.get(ws, name, parseRevision(rev))
  const folders = foldersOf(tree)
  const nodes = paths.flatMap((path): TreeNode[] => {
    const file = tree.get(path)
    if (file !== undefined) return [{ file }]
    const folder = folders.get(path.replace(/\/$/, ""))
    return folder === undefined ? [] : [{ folder }]
  })
  return { commit: tree.commit, entries: await describeNodes(registry, { ws, name, tree, expand }, nodes) }
}

/** Formats the start of the next page as a cursor, which clients send back. */
function formatCursor(start: number): string {
  return Buffer.from(String(start)).toString("base64url")
}

/** @throws `bad_page_token` */
function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const start = Buffer.from(cursor, "base64url").toString()
  if (/^\d{1,9}$/.test(start)) return Number(start)
  throw new AssayError(
    "bad_page_token",
    `The cursor '${cursor}' was not issued by this server. Use the one in the Link header.`,
  )
}
