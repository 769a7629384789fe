import type { Tree } from "@assay/registry"
import { AssayError } from "@assay/schemas"
import { parseNewFilePath, quotePath } from "@assay/storage"

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
 * @throws `bad_path`, `path_conflict`; `not_found` for a deletion of what is not there
 */
export function planCommit(tree: Tree, { writes, deletes }: CommitRequest): CommitPlan {
  const needed = new Set([...writes.keys()].flatMap((path) => foldersOn(parseNewFilePath(path))))
  for (const path of writes.keys()) {
    if (needed.has(path)) throw new AssayError("path_conflict", `The commit makes '${path}' a file and a folder.`)
  }
  const gone = [...deletes].flatMap((item) => filesAt(tree, ...item)).filter((path) => !writes.has(path))
  const isInTheWay = (path: string) => needed.has(path) || foldersOn(path).some((folder) => writes.has(folder))
  return {
    clear: gone.filter(isInTheWay),
    writes: [...writes]
      .filter(([path, sha256]) => tree.get(path)?.sha256 !== sha256)
      .map(([path, sha256]) => ({ path, sha256 })),
    deletes: gone.filter((path) => !isInTheWay(path)),
  }
}

function filesAt(tree: Tree, path: string, mustExist: boolean): readonly string[] {
  const found = path.endsWith("/")
    ? tree.files.flatMap((file) => (file.path.startsWith(path) ? [file.path] : []))
    : tree.get(path) === undefined
      ? []
      : [path]
  if (found.length > 0 || !mustExist) return found
  const what = path.endsWith("/") ? "folder" : "file"
  // Clients look for these words, to say how files and folders are told apart.
  const message = `A ${what} with this name doesn't exist: ${quotePath(path)}.`
  throw new AssayError("not_found", message, { context: { path, commit: tree.commit } })
}

/** The folders on the way to a file. */
function foldersOn(path: string): string[] {
  const names = path.split("/")
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"))
}
