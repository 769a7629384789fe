import type { RunState } from "../run/run-state.ts"
import type { ShardProcess } from "../executor.ts"
import { isGiven, type StoredSubmission } from "./submissions.ts"

/** The states of the shards of a submission, as the engine reports them, by their index. Undefined: it did not respond yet. */
export type Looked = ReadonlyMap<number, ShardProcess> | undefined

/** A submission, what its executor says, and what its executor is. */
export interface WatchedSubmission {
  readonly stored: StoredSubmission
  readonly looked: Looked
  /** Whether its processes end with the process that submitted them. */
  readonly isTied: boolean
  /** Whether its executor starts failed processes again by itself. */
  readonly restarts: boolean
}

/** The observations of the follower about a shard since its last submission. Times are those of the follower's clock: clocks of machines differ. */
export interface SeenShard {
  /** The number of the submission. */
  readonly submission: number
  /** When the follower saw the submission first. */
  readonly since: number
  /** When a process of this submission wrote counts, as that process says. Undefined: none did. */
  readonly updated: number | undefined
  /** When the follower saw that they have changed. */
  readonly changedAt: number | undefined
  /** Since when its engine says that no process runs. */
  readonly endedAt: number | undefined
}

/** Notes what has changed since the last look. */
export function noteSeen(
  seen: Map<number, SeenShard>,
  { shards }: Pick<RunState, "shards">,
  { submissions, now }: { readonly submissions: readonly WatchedSubmission[]; readonly now: number },
): void {
  for (const [index, { stored, looked }] of lastSubmissions(submissions)) {
    const known = seen.get(index)
    const before = known?.submission === stored.number ? known : undefined
    const counted = shards[index]?.progress?.updated_at
    const updated = counted === stored.before[index]?.updated ? undefined : counted
    const isEnded = looked?.get(index)?.state === "ended"
    seen.set(index, {
      submission: stored.number,
      since: before?.since ?? now,
      updated,
      changedAt: updated === before?.updated ? before?.changedAt : now,
      endedAt: isEnded ? (before?.endedAt ?? now) : undefined,
    })
  }
}

/** Returns what is known of shards before they are submitted. */
export function knownBefore(
  { shards }: Pick<RunState, "shards">,
  indexes: readonly number[],
): StoredSubmission["before"] {
  return Object.fromEntries(
    indexes.flatMap((index) => {
      const updated = shards[index]?.progress?.updated_at
      const failure = shards[index]?.failure?.attempt
      return updated === undefined && failure === undefined ? [] : [[index, { updated, failure }]]
    }),
  )
}

/** A shard without rows that nothing executes. */
export interface EndedShard {
  readonly index: number
  /** The last submission that contains it. Undefined: it was never submitted. */
  readonly by: StoredSubmission | undefined
  /** The report of its engine. */
  readonly reason: string | undefined
  /** Whether it may be submitted again. */
  readonly mayRetry: boolean
  /** Whether its engine was stopped, or never got it, so that submitting it again is not a retry. */
  readonly isInterrupted: boolean
  /** Whether it can't succeed, however often it is started. Default false. */
  readonly isHopeless?: boolean
  /** Whether its engine starts failed processes again by itself. Default false. */
  readonly restarts?: boolean
}

/** Milliseconds for which a file system of several machines can hide a file that another one has written. */
const SETTLE_MS = 30_000
/** A process that began and has written no counts for this time has ended, if its engine can't say so. It writes them each second. */
const SILENT_MS = 5 * 60_000
/** A process that did not begin was lost by its engine, if others of its submission began and nothing has changed for this time. */
const LOST_MS = 30 * 60_000
/** A submission that nobody completed for this time belongs to a process that was killed. */
const CLAIM_MS = 5 * 60_000

export interface EndedOptions {
  readonly seen: ReadonlyMap<number, SeenShard>
  /** Milliseconds since 1970, UTC. */
  readonly now: number
  /**
   * Whether a user asks now, and does not wait for what a follower would see. Then the clocks of other machines are trusted within minutes, and a shard that
   * another process has just published does no harm.
   */
  readonly isAsked: boolean
}

/** Returns the last submission of each shard. */
export function lastSubmissions(submissions: readonly WatchedSubmission[]): ReadonlyMap<number, WatchedSubmission> {
  return new Map(submissions.flatMap((one) => one.stored.indexes.map((index) => [index, one] as const)))
}

/** Returns when something of each shard has changed. A shard that has not begun is absent. */
function lastChanges({ seen, isAsked }: EndedOptions): ReadonlyMap<number, number> {
  return new Map(
    [...seen].flatMap(([index, { updated, changedAt }]) =>
      updated === undefined || changedAt === undefined
        ? []
        : [[index, isAsked ? Math.min(updated, changedAt) : changedAt]],
    ),
  )
}

/** Returns when something of each submission has changed, by its number. A submission of which no shard has begun is absent. */
function lastSubmissionChanges(
  submissions: readonly WatchedSubmission[],
  changes: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const { stored } of submissions) {
    for (const index of stored.indexes) {
      const changed = changes.get(index)
      if (changed !== undefined) found.set(stored.number, Math.max(changed, found.get(stored.number) ?? 0))
    }
  }
  return found
}

/** Returns the shards whose rows are not published, and which no process executes or will execute. */
export function endedShards(
  { shards }: Pick<RunState, "shards">,
  submissions: readonly WatchedSubmission[],
  options: EndedOptions,
): readonly EndedShard[] {
  const { seen, now, isAsked } = options
  const last = lastSubmissions(submissions)
  const changes = lastChanges(options)
  const submissionChanges = lastSubmissionChanges(submissions, changes)
  return shards.flatMap(({ index, state, failure }): EndedShard[] => {
    if (state === "done") return []
    const by = last.get(index)
    if (by === undefined) return [{ index, by, reason: undefined, mayRetry: true, isInterrupted: true }]
    const { stored, restarts, isTied, looked } = by
    const tries = restarts ? 0 : stored.retries
    const { reason, isInterrupted = false, isHopeless = false } = looked?.get(index) ?? {}
    const mayRetry = isInterrupted || (!isHopeless && stored.round < tries)
    const ended = { index, by: stored, mayRetry, reason, isInterrupted, isHopeless, restarts }
    if (stored.hasFailed) return [{ ...ended, mayRetry: false, isInterrupted: false }]
    const lost = { ...ended, mayRetry: true, isInterrupted: true }
    const { since = now, endedAt } = seen.get(index) ?? {}
    if (stored.given === undefined) return now - (isAsked ? stored.at : since) > CLAIM_MS ? [lost] : []
    if (!isGiven(stored)) return [lost]
    if (looked === undefined) return []
    const found = looked.get(index)
    const hasFailed = state === "failed" && failure !== undefined && failure.attempt !== stored.before[index]?.failure
    if (found === undefined) {
      const changed = changes.get(index)
      const others = submissionChanges.get(stored.number)
      const isLost = changed === undefined && others !== undefined && now - others > LOST_MS
      const isSilent = isLost || (changed !== undefined && now - changed > SILENT_MS)
      return (hasFailed && !restarts) || isSilent ? [ended] : []
    }
    if (found.state !== "ended") return []
    const isSettled = isAsked || isTied || hasFailed || (endedAt !== undefined && now - endedAt >= SETTLE_MS)
    return isSettled ? [ended] : []
  })
}
