import { createPathLocks } from "@assay/storage"
import type { Revision } from "@assay/filesets"
import { applyCommit, removeObjects, type CommitTarget } from "./apply-commit.ts"
import { receiveCommit, type CommitLine } from "./receive-commit.ts"

export interface CommitOptions {
  /** Maximum size in bytes of a file that is sent within the commit; undefined: no limit. */
  readonly maxBytes: number | undefined
}

/** Reads the lines of a commit, applies it to its fileset, and returns the new revision. @throws like `applyCommit` */
export type CommitFileset = (
  target: CommitTarget,
  lines: AsyncIterable<CommitLine>,
  options: CommitOptions,
) => Promise<Revision>

/** Creates the one function through which all commits go. Commits to the same fileset are applied one after the other. */
export function createCommitFileset(): CommitFileset {
  const locks = createPathLocks()
  return async (target, lines, { maxBytes }) => {
    const { fileset } = target
    const received = new Set<string>()
    try {
      const commit = await receiveCommit(target, lines, { maxBytes, onContent: (sha256) => received.add(sha256) })
      return await locks.exclusive(fileset, () => applyCommit(target, commit))
    } finally {
      // These contents are files now, or the commit failed and the client sends them again with the next attempt.
      await removeObjects(target, received)
    }
  }
}
