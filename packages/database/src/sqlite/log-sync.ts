import { setTimeout } from "node:timers/promises"
import { createPathLocks } from "@assay/storage"

interface LogSyncOptions {
  readonly log: { datasync(): Promise<void> }
  /** Takes all commits to the disk in another way. Returns false if it has to be tried again. */
  readonly checkpoint: () => boolean
  readonly onFailure: (error: Error) => void
}

/** Waits for the disk on behalf of all writes of a database. */
export interface LogSync {
  /** Returns when all commits until now are on the disk. Calls at the same time share one wait. */
  readonly sync: () => Promise<void>
  /** Lets calls that wait for a failing disk fail. */
  readonly close: () => void
}

/** Milliseconds between two attempts. */
const PAUSE_MS = 200
/** Milliseconds between two reports about a disk that keeps failing. */
const REPORT_MS = 10_000

/**
 * Creates the sync of the log. A commit is visible before it is on the disk, and can't be undone then. If the disk fails, no answer would
 * be true: not a success, because a power failure can undo the commit, and not an error, because readers see it. So the write waits, and
 * tries again until the disk has it. A second `fsync` proves nothing, because the system forgets what it could not write. A checkpoint
 * writes all pages again, into the database file. Source: https://wiki.postgresql.org/wiki/Fsync_Errors
 */
export function createLogSync({ log, checkpoint, onFailure }: LogSyncOptions): LogSync {
  const runs = createPathLocks()
  const closing = new AbortController()

  async function untilStored(first: unknown): Promise<void> {
    let failure = first
    for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
      if (waitedMs % REPORT_MS === 0)
        onFailure(new Error("The disk fails to store the database; writes wait.", { cause: failure }))
      try {
        if (checkpoint()) return
      } catch (error) {
        failure = error
      }
      await setTimeout(PAUSE_MS, undefined, { signal: closing.signal })
    }
  }

  const run = () => log.datasync().catch(untilStored)
  return { sync: () => runs.coalesce("log", run), close: () => closing.abort() }
}
