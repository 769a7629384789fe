import type { FilePath } from "@assay/storage"
import type { Revision } from "../revisions.ts"

/** Scans of filesets. All callers that ask during a scan share it, and its result is remembered for a moment. */
export interface Scans {
  /** Returns a revision that has all known changes. */
  recent(filesetId: string, work: ScanWork): Promise<Revision>
  /** Says that a file has changed, or any of them. */
  changed(filesetId: string, path?: FilePath): void
}

export interface ScanWork {
  /** Looks at all files. */
  readonly scan: () => Promise<Revision>
  /** Looks only at files that have changed since a scan. Undefined: all files must be looked at. */
  readonly update: (revision: Revision, paths: readonly FilePath[]) => Promise<Revision | undefined>
}

/** Milliseconds. Changes by others than this server are not seen for this time, or for as long as a scan takes. */
const REMEMBERED_MS = 1000

/** Maximum number of filesets that are remembered. */
const MAX = 1000

/** Maximum number of changed files that are looked at one by one. */
const MAX_PATHS = 100

interface Running {
  /** `changes` when it began. */
  readonly changes: number
  readonly found: Promise<Revision>
}

interface Known {
  /** Number of changes. */
  changes: number
  /** Paths of changes since the last scan, each with its last number. */
  readonly paths: Map<FilePath, number>
  /** Number of the last change whose path is unknown. */
  unknown: number
  /** A weak reference, because the stored revisions decide how many revisions stay in memory. */
  last?: { readonly revision: WeakRef<Revision>; readonly changes: number; readonly until: number }
  running?: Running
  /** A scan that begins after the running one, for callers whose change came after the running one began. */
  next?: Promise<Revision>
}

/** Creates scans, of which at most one runs at a time for a fileset, at any number of callers and of changes of files. */
export function createScans(now: () => number): Scans {
  const filesets = new Map<string, Known>()

  function knownOf(filesetId: string): Known {
    const known = filesets.get(filesetId) ?? { changes: 0, paths: new Map(), unknown: 0 }
    filesets.delete(filesetId)
    filesets.set(filesetId, known)
    for (const [oldest, { running }] of filesets) {
      if (filesets.size <= MAX) break
      if (running === undefined) filesets.delete(oldest)
    }
    return known
  }

  function begin(known: Known, work: ScanWork): Promise<Revision> {
    const { changes } = known
    const found = (async () => {
      try {
        const { revision, until } = await look(known, work, now)
        known.last = { revision: new WeakRef(revision), changes, until }
        for (const [path, change] of known.paths) if (change <= changes) known.paths.delete(path)
        return revision
      } finally {
        delete known.running
      }
    })()
    known.running = { changes, found }
    return found
  }

  async function beginAfter(known: Known, { found }: Running, work: ScanWork): Promise<Revision> {
    await found.catch(() => {})
    delete known.next
    return begin(known, work)
  }

  return {
    async recent(filesetId, work) {
      const known = knownOf(filesetId)
      const { changes, running } = known
      const last = usable(known, now())
      if (last?.changed.length === 0) return last.revision
      if (running === undefined) return begin(known, work)
      if (running.changes === changes) return running.found
      known.next ??= beginAfter(known, running, work)
      return known.next
    },
    changed(filesetId, path) {
      const known = filesets.get(filesetId)
      if (known === undefined) return
      known.changes += 1
      if (path === undefined || known.paths.size === MAX_PATHS) known.unknown = known.changes
      else known.paths.set(path, known.changes)
      if (known.unknown === known.changes) known.paths.clear()
    },
  }
}

/** Returns the last revision if it can still be used, with the paths that have changed since. */
function usable({ last, unknown, paths }: Known, time: number) {
  const revision = last !== undefined && time < last.until ? last.revision.deref() : undefined
  if (last === undefined || revision === undefined || unknown > last.changes) return undefined
  const changed = [...paths].flatMap(([path, change]) => (change > last.changes ? [path] : []))
  return { revision, changed, until: last.until }
}

interface Look {
  readonly revision: Revision
  /** Until when changes by others need not be seen. */
  readonly until: number
}

/** Updates the last revision, or scans all files. */
async function look(known: Known, { scan, update }: ScanWork, now: () => number): Promise<Look> {
  const before = usable(known, now())
  if (before !== undefined) {
    const revision = await update(before.revision, before.changed)
    if (revision !== undefined) return { revision, until: before.until }
  }
  const began = now()
  const revision = await scan()
  const ended = now()
  return { revision, until: ended + Math.max(REMEMBERED_MS, ended - began) }
}
