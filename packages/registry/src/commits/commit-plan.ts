import type { Tree } from "@assay/registry"
import { AssayError } from "@assay/schemas"
import { quotePath } from "@assay/storage"
import { orderPaths, type PathOrder } from "./path-order.ts"

/** What a commit asks for, path by path; of two lines about a path the later one counts. */
export interface CommitRequest {
  readonly title: string
  /** The commit that it was made for; undefined: whatever is there. */
  readonly parent: string | undefined
  /** Digest of the content by path. */
  readonly writes: ReadonlyMap<string, string>
  /** Files to delete, and folders with a slash at the end; each with whether it must be there. */
  readonly deletes: ReadonlyMap<string, boolean>
}

/** What is to be done, in this order. */
export interface CommitPlan {
  /** Files that stand where a folder is needed, or the other way round. */
  readonly clear: readonly string[]
  readonly writes: readonly { readonly path: string; readonly sha256: string }[]
  readonly deletes: readonly string[]
}

/**
 * What turns a tree into the one that a commit asks for. Files are written before others are deleted, so that what was
 * cut short has lost nothing.
 * @throws `path_conflict`; `not_found` for a deletion of what is not there
 */
export function planCommit(tree: Tree, { writes, deletes }: CommitRequest): CommitPlan {
  const written = orderPaths(writes.keys(), (path) => path)
  for (const path of writes.keys()) {
    if (holdsSome(written, path))
      throw new AssayError("path_conflict", `The commit makes '${path}' a file and a folder.`)
  }
  const gone = deletedFiles(tree, deletes).filter((path) => !writes.has(path))
  const isInTheWay = (path: string) => holdsSome(written, path) || written.onTheWayTo(path) !== undefined
  return {
    clear: gone.filter(isInTheWay),
    writes: [...writes]
      .filter(([path, sha256]) => tree.get(path)?.sha256 !== sha256)
      .map(([path, sha256]) => ({ path, sha256 })),
    deletes: gone.filter((path) => !isInTheWay(path)),
  }
}

function holdsSome(paths: PathOrder<unknown>, folder: string): boolean {
  const [start, end] = paths.below(folder)
  return start < end
}

/** Every file that goes, once, however many of the folders hold it. */
function deletedFiles(tree: Tree, deletes: CommitRequest["deletes"]): readonly string[] {
  const gone = new Set<string>()
  const folders: (readonly [start: number, end: number])[] = []
  const files = orderPaths(deletes.size === 0 ? [] : tree.files, ({ path }) => path)
  for (const [path, mustExist] of deletes) {
    if (!path.endsWith("/")) {
      if (tree.get(path) !== undefined) gone.add(path)
      else if (mustExist) throw notThere(tree, "file", path)
      continue
    }
    const [start, end] = files.below(path.slice(0, -1))
    if (start < end) folders.push([start, end])
    else if (mustExist) throw notThere(tree, "folder", path)
  }
  let reached = 0
  for (const [start, end] of folders.toSorted(([a], [b]) => a - b)) {
    for (const { path } of files.items.slice(Math.max(start, reached), end)) gone.add(path)
    reached = Math.max(reached, end)
  }
  return [...gone]
}

function notThere(tree: Tree, what: "file" | "folder", path: string): AssayError {
  // Clients look for these words, to say how files and folders are told apart.
  const message = `A ${what} with this name doesn't exist: ${quotePath(path)}.`
  return new AssayError("not_found", message, { context: { path, commit: tree.commit } })
}
