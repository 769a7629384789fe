import { isAssayError } from "@assay/schemas/errors"
import type { Executor } from "../executor.ts"
import type { Looked, WatchedSubmission } from "./missing-shards.ts"
import { isGiven, type StoredSubmission, type Submissions } from "./submissions.ts"

export interface WatchEnginesOptions {
  readonly submissions: Submissions
  /** Returns the executor of a submission. */
  readonly executorOf: (stored: StoredSubmission) => Promise<Executor>
  readonly now: () => number
}

/** The reports of the engines of a run about its submissions. */
export interface Engines {
  /** Looks at the last submissions of shards that are not done. An engine that does not respond keeps what it said before. */
  look(missing: ReadonlySet<number>, signal: AbortSignal): Promise<EnginesState>
}

export interface EnginesState {
  /** The last submissions of shards that are not done, the oldest first. */
  readonly submissions: readonly WatchedSubmission[]
  /** Whether an engine merges the results of the last submission. */
  readonly isMerging: boolean
  /** Whether somebody has cancelled the run. */
  readonly isCancelled: boolean
  /** The last number of a submission. */
  readonly last: number
  /** The last error of an engine that does not respond. */
  readonly silence: unknown
}

/** Milliseconds between two looks at an engine on other machines. */
const REMOTE_LOOK_MS = 5000

interface KnownLook {
  readonly looked: Looked
  readonly nextAt: number
}

export function watchEngines({ submissions, executorOf, now }: WatchEnginesOptions): Engines {
  const known = new Map<number, KnownLook>()

  async function lookAt(stored: StoredSubmission, executor: Executor, signal: AbortSignal): Promise<Looked> {
    const before = known.get(stored.number)
    if (!isGiven(stored) || (before !== undefined && now() < before.nextAt)) return before?.looked
    const start = now()
    try {
      const processes = await executor.look(stored.given, signal)
      const looked = new Map(processes.map((one) => [one.index, one]))
      // An engine with many shards is asked less often: at most a tenth of the time.
      const pause = executor.isTied === true ? 0 : Math.max(REMOTE_LOOK_MS, (now() - start) * 9)
      known.set(stored.number, { looked, nextAt: now() + pause })
      return looked
    } catch (error) {
      known.set(stored.number, { looked: before?.looked, nextAt: now() + REMOTE_LOOK_MS })
      throw error
    }
  }
  return {
    async look(missing, signal) {
      const { active, isCancelled, last } = await submissions.list(signal)
      const watched: WatchedSubmission[] = []
      let silence: unknown
      const lastOf = new Map(active.flatMap((stored) => stored.indexes.map((index) => [index, stored] as const)))
      const wanted = new Set([...missing].map((index) => lastOf.get(index)))
      for (const stored of active.filter((one) => wanted.has(one))) {
        const executor = await executorOf(stored)
        const { isTied = false, restarts = false } = executor
        let looked: Looked
        try {
          looked = await lookAt(stored, executor, signal)
        } catch (error) {
          signal.throwIfAborted()
          if (!isAssayError(error)) throw error
          silence = error
          looked = known.get(stored.number)?.looked
        }
        watched.push({ stored, looked, isTied, restarts })
      }
      return { submissions: watched, isMerging: active.at(-1)?.given?.merges === true, isCancelled, last, silence }
    },
  }
}
