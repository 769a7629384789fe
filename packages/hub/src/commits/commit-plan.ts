import { AssayError } from "@assay/schemas"
import type { Revision } from "@assay/filesets"
import type { FilePath } from "@assay/storage"
import { planDeletions, type Deletions } from "./deletions.ts"
import { orderPaths, type PathOrder } from "./path-order.ts"

/** The changes that a commit requests, by path. Of two lines about one path, the later one counts. */
export interface CommitRequest {
  readonly title: string
  /** The commit id that it was made for; undefined: the current one. */
  readonly parent: string | undefined
  /** Digest of the content by path. */
  readonly writes: ReadonlyMap<FilePath, string>
  /** Files to delete, and folders with a slash at the end, each with whether it must exist. */
  readonly deletes: ReadonlyMap<string, boolean>
}

/** The steps of a commit, in order. Deleted paths are read from the revision when they are needed, because they can be millions. */
export interface CommitPlan {
  /** Yields files to delete first: a file whose path becomes a folder, or files of a folder whose path becomes a file. */
  readonly clear: () => AsyncIterable<FilePath>
  readonly writes: readonly { readonly path: FilePath; readonly sha256: string }[]
  /** Yields the other files to delete. */
  readonly deletes: () => AsyncIterable<FilePath>
  /** Returns whether the commit changes or deletes a file of the revision. */
  readonly changes: (path: FilePath) => boolean
}

/**
 * Plans the changes from a revision to the one that a commit requests. Files are written before others are deleted, so
 * that an interrupted commit loses nothing.
 * @throws `path_conflict`; `not_found` if a file or folder to delete does not exist
 */
export async function planCommit(tree: Revision, { writes, deletes }: CommitRequest): Promise<CommitPlan> {
  const written = orderPaths(writes.keys(), (path) => path)
  for (const path of writes.keys()) {
    if (containsFiles(written, path))
      throw new AssayError("path_conflict", `The commit makes '${path}' a file and a folder.`)
  }
  const deletions = await planDeletions(tree, deletes)
  const isInTheWay = (path: string) => containsFiles(written, path) || written.onTheWayTo(path) !== undefined
  const changed: CommitPlan["writes"][number][] = []
  for (const [path, sha256] of writes) {
    if ((await tree.get(path))?.sha256 !== sha256) changed.push({ path, sha256 })
  }
  const changedPaths = new Set(changed.map(({ path }) => path))
  return {
    // Without writes, no file is in the way. Files are not read twice then.
    clear: () => (writes.size === 0 ? none() : pathsOf(deletions, isInTheWay)),
    writes: changed,
    deletes: () => pathsOf(deletions, (path) => !writes.has(path) && !isInTheWay(path)),
    changes: (path) => (writes.has(path) ? changedPaths.has(path) : deletions.has(path)),
  }
}

function containsFiles(paths: PathOrder<unknown>, folder: string): boolean {
  const [start, end] = paths.below(folder)
  return start < end
}

async function* none(): AsyncGenerator<never> {}

async function* pathsOf(
  deletions: Deletions,
  isWanted: (path: FilePath) => boolean,
): AsyncGenerator<FilePath, void, undefined> {
  for await (const path of deletions.paths()) if (isWanted(path)) yield path
}
