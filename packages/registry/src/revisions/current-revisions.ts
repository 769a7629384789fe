import { notFoundIn } from "../records/not-found.ts"
import type { RegistryContext } from "../registry-context.ts"
import { revisionFileOf, type Revision } from "./revisions.ts"
import type { RevisionFile } from "./revision-file.ts"
import type { StoredRevisions } from "./stored-revisions.ts"
import type { Storage } from "@assay/storage"

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
  changed(filesetId: string): void
}

/**
 * Others can change files without this server, so a fileset is listed again after a second, and after each change by this
 * server. If its storage pins a revision or a version, nothing ever changes: the files are listed once and stored.
 */
export function createCurrentRevisions(
  { database, elapsed }: Pick<RegistryContext, "database" | "elapsed">,
  stored: StoredRevisions,
): CurrentRevisions {
  const scans = createScans(elapsed)

  async function scan(fileset: OpenedFileset): Promise<Revision> {
    const newest = await stored.newest(fileset.id)
    const pinned = fileset.storage.capabilities.revisions ? newest : undefined
    return (pinned && (await stored.get(fileset.id, pinned.commit))) ?? stored.record(fileset.id, filesOf(fileset))
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

async function* filesOf({ storage }: OpenedFileset): AsyncGenerator<RevisionFile, void, undefined> {
  for await (const file of storage.list()) yield revisionFileOf(file)
}

/** Scans of filesets. All callers that ask during a scan share it, and its result is remembered for a moment. */
export interface Scans {
  /** Returns the result of a scan that began after the last known change. */
  recent(filesetId: string, scan: () => Promise<Revision>): Promise<Revision>
  /** Invalidates earlier results. */
  changed(filesetId: string): void
}

/** Milliseconds. Changes by others than this server are not seen for this time, or for as long as a scan takes. */
const REMEMBERED_MS = 1000

/** Maximum number of filesets that are remembered. */
const MAX = 1000

interface Scan {
  /** `changes` when the scan began. */
  readonly changes: number
  readonly found: Promise<Revision>
}

interface Known {
  changes: number
  /** A weak reference, because the stored revisions decide how many revisions stay in memory. */
  last?: { readonly revision: WeakRef<Revision>; readonly changes: number; readonly until: number }
  running?: Scan
  /** A scan that begins after the running one, for callers whose change came after the running one began. */
  next?: Promise<Revision>
}

/** Creates scans, of which at most one runs at a time for a fileset, at any number of callers and of changes of files. */
export function createScans(now: () => number): Scans {
  const filesets = new Map<string, Known>()

  function knownOf(filesetId: string): Known {
    const known = filesets.get(filesetId) ?? { changes: 0 }
    filesets.delete(filesetId)
    filesets.set(filesetId, known)
    for (const [oldest, { running }] of filesets) {
      if (filesets.size <= MAX) break
      if (running === undefined) filesets.delete(oldest)
    }
    return known
  }

  function begin(known: Known, scan: () => Promise<Revision>): Promise<Revision> {
    const { changes } = known
    const began = now()
    const found = (async () => {
      try {
        const revision = await scan()
        const ended = now()
        const until = ended + Math.max(REMEMBERED_MS, ended - began)
        known.last = { revision: new WeakRef(revision), changes, until }
        return revision
      } finally {
        delete known.running
      }
    })()
    known.running = { changes, found }
    return found
  }

  async function beginAfter(known: Known, { found }: Scan, scan: () => Promise<Revision>): Promise<Revision> {
    await found.catch(() => {})
    delete known.next
    return begin(known, scan)
  }

  return {
    async recent(filesetId, scan) {
      const known = knownOf(filesetId)
      const { changes, last, running } = known
      const revision = last?.changes === changes && now() < last.until ? last.revision.deref() : undefined
      if (revision !== undefined) return revision
      if (running === undefined) return begin(known, scan)
      if (running.changes === changes) return running.found
      known.next ??= beginAfter(known, running, scan)
      return known.next
    },
    changed(filesetId) {
      const known = filesets.get(filesetId)
      if (known !== undefined) known.changes += 1
    },
  }
}
