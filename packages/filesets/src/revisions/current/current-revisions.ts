import { notFoundIn } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"
import { createFileMemory } from "../file-memory.ts"
import { revisionFileOf, type Revision } from "../revisions.ts"
import type { RevisionFile } from "../revision-file.ts"
import { changedFiles } from "./changed-files.ts"
import { createScans } from "./scans.ts"
import type { StoredRevisions } from "../stored-revisions.ts"
import { createListedFiles, type FilePath, type ListedFiles, type Storage, type StoredFile } from "@assay/storage"

/** A fileset whose storage is open for a caller. */
export interface OpenedFileset {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly storage: Storage
  /** The revision of a hub to which its storage is pinned. */
  readonly pin: string | undefined
}

/** The present revisions of filesets. */
export interface CurrentRevisions {
  /** Sees changes by others within a second, and changes reported to `changed` at once. @throws `not_found` */
  recent(fileset: OpenedFileset): Promise<Revision>
  /** Without a path, any file may have changed. */
  changed(filesetId: string, path?: FilePath): void
}

/** Files of local folders whose state is remembered: about 25 MB. */
const MAX_LISTED = 100_000

/** Listed files that are recorded together. */
const BATCH = 1024

/**
 * Others can change files without this server, so a fileset is listed again after a second. After a change by this server, only the changed
 * files are looked at until then, if they are on a local folder. If its storage pins a revision or a version, nothing ever changes: the files are listed once and stored.
 */
export function createCurrentRevisions(
  { database, elapsed }: Pick<FilesetsContext, "database" | "elapsed">,
  stored: StoredRevisions,
): CurrentRevisions {
  const scans = createScans(elapsed)
  const memory = createFileMemory<ListedFiles<StoredFile>>({ maxFiles: MAX_LISTED, filesOf: ({ size }) => size })

  async function scan(fileset: OpenedFileset): Promise<Revision> {
    const newest = await stored.newest(fileset.id)
    const pinned = fileset.storage.capabilities.revisions ? newest : undefined
    const revision = pinned && (await stored.get(fileset.id, pinned.commit))
    if (revision !== undefined) return revision
    const listed = memory.get(fileset.id, "") ?? createListedFiles(MAX_LISTED)
    const scanned = await stored.record(fileset.id, filesOf(fileset, listed))
    // Its size has changed.
    memory.drop(fileset.id, "")
    memory.put(fileset.id, "", listed)
    return scanned
  }

  /** Looks only at files that this server has changed. Undefined: other paths can lead to them, too, or not all files are in memory. */
  async function update(
    fileset: OpenedFileset,
    { files }: Revision,
    paths: readonly FilePath[],
  ): Promise<Revision | undefined> {
    if (files.held < files.count || memory.get(fileset.id, "")?.isPlain !== true) return undefined
    const changed = await changedFiles(fileset.storage, (await files.runAt(0)).files, paths)
    return changed && stored.record(fileset.id, [changed])
  }

  return {
    async recent(fileset) {
      try {
        return await scans.recent(fileset.id, {
          scan: () => scan(fileset),
          update: (revision, paths) => update(fileset, revision, paths),
        })
      } catch (error) {
        // The fileset was removed in the meantime, so its revision can't be stored.
        if (database.dialect.failureOf(error) !== "missing_parent") throw error
        throw await notFoundIn(database, fileset.workspace, "Fileset", fileset.name)
      }
    },
    changed: (filesetId, path) => scans.changed(filesetId, path),
  }
}

async function* filesOf(
  { storage }: OpenedFileset,
  listed: ListedFiles<StoredFile>,
): AsyncGenerator<readonly RevisionFile[], void, undefined> {
  let files: RevisionFile[] = []
  for await (const file of storage.list({ listed })) {
    files.push(revisionFileOf(file))
    if (files.length < BATCH) continue
    yield files
    files = []
  }
  yield files
}
