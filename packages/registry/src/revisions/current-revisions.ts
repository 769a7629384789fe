import { notFoundIn } from "../records/not-found.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { OpenedFileset } from "./create-revisions.ts"
import { commitOf, revisionFileOf } from "./revision.ts"
import type { Revision, RevisionFile } from "./revisions.ts"
import { createScans } from "./scans.ts"
import type { StoredRevisions } from "./stored-revisions.ts"

/** The present revisions of filesets. */
export interface CurrentRevisions {
  /** Sees changes by others within a second, and changes reported to `changed` at once. @throws `not_found` */
  recent(fileset: OpenedFileset): Promise<Revision>
  changed(filesetId: string): void
}

/**
 * Others can change files without this server, so a fileset is listed again after a second, and after each change by this
 * server. If its storage pins a revision or a version, nothing ever changes: the files are listed once and stored.
 */
export function createCurrentRevisions(
  { database, now }: Pick<RegistryContext, "database" | "now">,
  stored: StoredRevisions,
): CurrentRevisions {
  const scans = createScans(now)

  async function scan(fileset: OpenedFileset): Promise<Revision> {
    const newest = await stored.newest(fileset.id)
    const pinned = fileset.storage.capabilities.revisions ? newest : undefined
    return (pinned && (await stored.get(fileset.id, pinned.commit))) ?? listFiles(fileset, newest?.commit)
  }

  async function listFiles({ id, storage }: OpenedFileset, newest: string | undefined): Promise<Revision> {
    const files: RevisionFile[] = []
    for await (const file of storage.list()) files.push(revisionFileOf(file))
    const commit = commitOf(files)
    const known = commit === newest ? await stored.get(id, commit) : undefined
    return known ?? stored.put(id, { commit, createdAt: now(), title: "" }, files)
  }

  return {
    async recent(fileset) {
      try {
        return await scans.recent(fileset.id, () => scan(fileset))
      } catch (error) {
        // The fileset was removed in the meantime, so its revision can't be stored.
        if (database.dialect.failureOf(error) !== "missing_parent") throw error
        throw await notFoundIn(database, fileset.workspace, "Fileset", fileset.name)
      }
    },
    changed: (filesetId) => scans.changed(filesetId),
  }
}
