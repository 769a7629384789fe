import type { Tree } from "./revisions.ts"

/** Looks at what filesets hold, each shared by all who ask meanwhile and remembered for a moment. */
export interface Looks {
  /** What a look found that began after the last change known of. */
  recent(filesetId: string, look: () => Promise<Tree>): Promise<Tree>
  /** What was found before does not count any more. */
  changed(filesetId: string): void
}

/** Others may change the files without telling us: what they did is not seen for so long, or as long as a look takes. */
const REMEMBERED_MS = 1000

/** Filesets that are remembered. */
const MAX = 1000

interface Look {
  /** `changes` when it began. */
  readonly changes: number
  readonly found: Promise<Tree>
}

interface Known {
  changes: number
  /** How many trees stay in memory is decided elsewhere. */
  last?: { readonly tree: WeakRef<Tree>; readonly changes: number; readonly until: number }
  running?: Look
  /** Begins when the running one has ended: that began too early for those who wait for this. */
  next?: Promise<Tree>
}

/** However many ask and however often files change, one look at a time goes through a fileset. */
export function createLooks(now: () => number): Looks {
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

  function begin(known: Known, look: () => Promise<Tree>): Promise<Tree> {
    const { changes } = known
    const began = now()
    const found = (async () => {
      try {
        const tree = await look()
        const ended = now()
        known.last = { tree: new WeakRef(tree), changes, until: ended + Math.max(REMEMBERED_MS, ended - began) }
        return tree
      } finally {
        delete known.running
      }
    })()
    known.running = { changes, found }
    return found
  }

  async function beginAfter(known: Known, { found }: Look, look: () => Promise<Tree>): Promise<Tree> {
    await found.catch(() => {})
    delete known.next
    return begin(known, look)
  }

  return {
    async recent(filesetId, look) {
      const known = knownOf(filesetId)
      const { changes, last, running } = known
      const tree = last?.changes === changes && now() < last.until ? last.tree.deref() : undefined
      if (tree !== undefined) return tree
      if (running === undefined) return begin(known, look)
      if (running.changes === changes) return running.found
      known.next ??= beginAfter(known, running, look)
      return known.next
    },
    changed(filesetId) {
      const known = filesets.get(filesetId)
      if (known !== undefined) known.changes += 1
    },
  }
}
