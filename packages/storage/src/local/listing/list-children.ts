import { readdir } from "node:fs/promises"
import { compareCodePoints, joinPath } from "../../file-path.ts"
import { isMissing } from "../errors.ts"
import { lookUp, type Folder } from "../folders/folder.ts"
import { isTemporaryName } from "../writing/temporary-file.ts"

/** A file or folder in a folder. */
export interface Child {
  readonly name: string
  readonly isFolder: boolean
  /** The path relative to the root, with links resolved. */
  readonly realPath: string
}

/** Returns the files and folders in `folder`, in listing order. */
export async function listChildren(root: string, folder: Folder): Promise<Child[]> {
  const entries = await readdir(folder.at("."), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const children: Child[] = []
  const links: string[] = []
  for (const entry of entries) {
    const { name } = entry
    if (isTemporaryName(name)) continue
    if (entry.isSymbolicLink()) links.push(name)
    else if (entry.isDirectory() || entry.isFile()) {
      children.push({ name, isFolder: entry.isDirectory(), realPath: joinPath(folder.path, name) })
    }
  }
  // Leave out links that lead outside the root. One of them must not make the whole listing fail.
  const linked = await Promise.all(links.map((name) => findChild(root, folder, name)))
  children.push(...linked.filter((child) => typeof child === "object"))
  return children.toSorted((a, b) => compareCodePoints(orderOf(a), orderOf(b)))
}

/** Returns one child by name, with links resolved. */
export async function findChild(root: string, folder: Folder, name: string): Promise<Child | "outside" | undefined> {
  if (isTemporaryName(name)) return undefined
  const entry = await lookUp(root, folder.at(name), joinPath(folder.path, name))
  if (entry.kind === "outside") return "outside"
  if (entry.kind !== "file" && entry.kind !== "folder") return undefined
  return { name, isFolder: entry.kind === "folder", realPath: entry.path }
}

/**
 * Returns the sort key of a child. The paths in a folder continue with a slash, which decides their order: `a-b`,
 * `a.txt`, `a/x`, `a0`.
 */
export function orderOf(child: Child): string {
  return child.isFolder ? `${child.name}/` : child.name
}
