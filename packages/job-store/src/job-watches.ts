import type { Database } from "@assay/database"
import { parseJobNotice } from "./job-notices.ts"
import { isNotDiscarded } from "./is-discarded.ts"

/** Waits for new events of a job. To be disposed of. */
export interface JobWatch extends Disposable {
  /**
   * Resolves to true when the job has events after the number `seen` or was removed, and to false after `maxMs` or when the
   * signal aborts. Changes between two calls are noticed.
   */
  changed(seen: number, options: { readonly maxMs: number; readonly signal: AbortSignal }): Promise<boolean>
}

/** The watches of one server. */
export interface JobWatches {
  readonly watch: (jobId: string) => JobWatch
  close(): Promise<void>
}

/** Milliseconds between two looks at the watched jobs while no notices arrive. */
const DEAF_LOOK_MS = 250
/** Milliseconds between two looks while notices arrive: a server of an earlier version sends none. */
const LOOK_MS = 5000
/** Jobs in one statement. Databases limit the number of parameters. */
const STATEMENT_JOBS = 1000

/**
 * Creates the watches of a server. It listens for notices of the database from the first watch on. Without notices, one
 * statement looks at all watched jobs.
 */
export function createJobWatches(database: Pick<Database, "notices" | "read">): JobWatches {
  const watched = new Map<string, Set<Watcher>>()
  let stopListening: (() => Promise<void>) | undefined
  let isHearing = false
  const looks = createLooks({
    look: () => lookAt(database, watched),
    delayMs: () => (watched.size === 0 ? undefined : isHearing ? LOOK_MS : DEAF_LOOK_MS),
  })

  function onNotice(text: string): void {
    const { jobId, last } = parseJobNotice(text)
    for (const watcher of watched.get(jobId) ?? []) watcher.hear(last)
  }

  function listen(): void {
    stopListening ??= database.notices.listen({
      onNotice,
      onHearing(hears) {
        if (hears === isHearing) return
        isHearing = hears
        // This finds events that were sent before the first notice was heard, or after the last one.
        looks.now()
      },
    })
  }

  return {
    watch(jobId) {
      listen()
      const watcher = createWatcher()
      const watchers = watched.get(jobId) ?? new Set()
      watched.set(jobId, watchers.add(watcher))
      if (watched.size === 1 && watchers.size === 1 && !looks.isLooking()) looks.later()
      return {
        changed: watcher.changed,
        [Symbol.dispose]() {
          watchers.delete(watcher)
          if (watchers.size === 0 && watched.get(jobId) === watchers) watched.delete(jobId)
        },
      }
    },
    async close() {
      const looked = looks.close()
      await stopListening?.()
      await looked
    },
  }
}

interface LooksOptions {
  readonly look: () => Promise<void>
  /** Returns the milliseconds until the next look; undefined if none is needed. */
  readonly delayMs: () => number | undefined
}

/** Looks repeatedly, one look at a time. */
interface Looks {
  now(): void
  later(): void
  isLooking(): boolean
  close(): Promise<void>
}

function createLooks({ look, delayMs }: LooksOptions): Looks {
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let isClosed = false
  let looking: Promise<void> | undefined

  async function lookWhileDue(): Promise<void> {
    while (isDue) {
      isDue = false
      // A database that does not respond is asked again by the next look.
      if (!isClosed) await look().catch(() => {})
    }
  }

  function now(): void {
    isDue = true
    looking ??= lookWhileDue().finally(() => {
      looking = undefined
      later()
    })
  }

  function later(): void {
    clearTimeout(timer)
    const delay = delayMs()
    if (delay !== undefined && !isClosed) timer = setTimeout(now, delay).unref()
  }

  return {
    now,
    later,
    isLooking: () => looking !== undefined,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await looking
    },
  }
}

/** Wakes the watchers of jobs that have other events than they have seen, and of jobs that were removed. */
async function lookAt(
  database: Pick<Database, "read">,
  watched: ReadonlyMap<string, ReadonlySet<Watcher>>,
): Promise<void> {
  const ids = [...watched.keys()]
  for (let at = 0; at < ids.length; at += STATEMENT_JOBS) {
    const part = ids.slice(at, at + STATEMENT_JOBS)
    const rows = await database.read((queries) =>
      queries
        .selectFrom("evaluation_jobs")
        .select(["id", "last_event"])
        .where("id", "in", part)
        .where(isNotDiscarded("evaluation_jobs.id"))
        .execute(),
    )
    const last = new Map(rows.map(({ id, last_event }) => [id, last_event]))
    for (const id of part) {
      for (const watcher of watched.get(id) ?? []) watcher.compare(last.get(id))
    }
  }
}

interface Watcher extends Pick<JobWatch, "changed"> {
  /** Takes the number of the last event from a notice. */
  hear(last: number): void
  /** Takes the number of the last event from the record of the job. Undefined: there is no record. */
  compare(last: number | undefined): void
}

function createWatcher(): Watcher {
  let heard = 0
  let waiting: { readonly seen: number; readonly resolve: (isChanged: boolean) => void } | undefined

  return {
    hear(last) {
      heard = Math.max(heard, last)
      if (waiting !== undefined && heard > waiting.seen) waiting.resolve(true)
    },
    compare(last) {
      // Also if it is smaller: a caller can name any number.
      if (waiting !== undefined && waiting.seen !== last) waiting.resolve(true)
    },
    async changed(seen, { maxMs, signal }) {
      if (signal.aborted) return false
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const stop = () => resolve(false)
      const timer = setTimeout(stop, maxMs)
      signal.addEventListener("abort", stop)
      if (heard > seen) resolve(true)
      waiting = { seen, resolve }
      try {
        const isChanged = await promise
        if (isChanged) heard = 0
        return isChanged
      } finally {
        clearTimeout(timer)
        signal.removeEventListener("abort", stop)
        waiting = undefined
      }
    },
  }
}
