import type { RegistryContext } from "../registry-context.ts"
import { notFoundIn } from "../records/not-found.ts"
import type { KeptTrees } from "./stored-revisions.ts"
import { createLooks } from "./looks.ts"
import type { OpenedFileset } from "./create-revisions.ts"
import { commitOf, treeFileOf } from "./revision-of.ts"
import type { Tree, TreeFile } from "./revisions.ts"

/** Filesets as they are now. */
export interface CurrentTrees {
  /** What others changed shows within a second, and what `changed` told of at once. @throws `not_found` */
  recent(fileset: OpenedFileset): Promise<Tree>
  changed(filesetId: string): void
}

/**
 * Files can be changed behind our back, so a fileset is gone through again after a second, and after each change that we
 * make. Where a revision or a version is pinned, nothing ever changes: what was seen once is read from the database.
 */
export function createCurrentTrees(
  { database, now }: Pick<RegistryContext, "database" | "now">,
  kept: KeptTrees,
): CurrentTrees {
  const looks = createLooks(now)

  async function look(fileset: OpenedFileset): Promise<Tree> {
    const newest = await kept.newest(fileset.id)
    const pinned = fileset.storage.capabilities.revisions ? newest : undefined
    return (pinned && (await kept.get(fileset.id, pinned.commit))) ?? goThrough(fileset, newest?.commit)
  }

  async function goThrough({ id, storage }: OpenedFileset, newest: string | undefined): Promise<Tree> {
    const files: TreeFile[] = []
    for await (const file of storage.list()) files.push(treeFileOf(file))
    const commit = commitOf(files)
    const known = commit === newest ? await kept.get(id, commit) : undefined
    return known ?? kept.put(id, { commit, createdAt: now(), title: "" }, files)
  }

  return {
    async recent(fileset) {
      try {
        return await looks.recent(fileset.id, () => look(fileset))
      } catch (error) {
        // A tree is kept with its fileset, and that was removed meanwhile.
        if (database.dialect.failureOf(error) !== "missing_parent") throw error
        throw await notFoundIn(database, fileset.workspace, "Fileset", fileset.name)
      }
    },
    changed: (filesetId) => looks.changed(filesetId),
  }
}
