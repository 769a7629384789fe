import { openRunState, type RunState } from "../../cut-runs/run-state.ts"
import type { RunStore } from "../../cut-runs/store/run-store.ts"
import {
  type EndedShard,
  endedShards,
  lastSubmissions,
  noteSeen,
  type SeenShard,
  type WatchedSubmission,
} from "./missing-shards.ts"
import type { StoredSubmission, SubmissionRequest } from "./submissions.ts"
import type { Engines } from "./watch-engines.ts"
import { watchSilence } from "./watch-silence.ts"

/** How a run shows itself to those who follow it. */
export interface FollowedRun extends RunState {
  /** Shards whose rows are published. */
  readonly done: number
  /** Shards that have begun and that an engine executes. */
  readonly running: number
  /** All others. */
  readonly waiting: number
}

export interface FollowOptions {
  readonly engines: Engines
  /** What a user asks for now: shards that nothing executes are submitted. Undefined: only those are that were submitted before. */
  readonly request: Omit<SubmissionRequest, "indexes" | "round"> | undefined
  /** Submits shards. Returns undefined if another process did so meanwhile. @throws `executor_failed` */
  readonly submit: (request: SubmissionRequest, run: RunState) => Promise<StoredSubmission | undefined>
  readonly onProgress: (run: FollowedRun) => void
  /** Receives a sentence about something that happened. */
  readonly onNote: (text: string) => void
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** How following a run ended. */
export type FollowEnd =
  /** All shards are published. `isMerged`: the engine has merged their results. */
  | { readonly kind: "done"; readonly isMerged: boolean }
  /** A shard ended without its rows, as often as it was allowed to. Others can still run. */
  | { readonly kind: "failed"; readonly shard: EndedShard; readonly run: RunState }
  /** No shard was ever submitted, or not all of them, and nobody asks for it now. */
  | { readonly kind: "not-submitted"; readonly missing: number }
  /** Somebody has cancelled the run. */
  | { readonly kind: "cancelled" }

const NEAR_PAUSE_MS = 500
const REMOTE_PAUSE_MS = 2000
/** A look takes at most a tenth of the time, however many shards a run has. */
const PAUSE_FACTOR = 9
const MAX_PAUSE_MS = 60_000
/** How long the merge of an engine may take to begin and to end. Then this process merges. */
const MAX_MERGE_MS = 15 * 60_000

/** One who follows a run, look by look. */
export interface Follower {
  /** Looks once, and submits what has to be submitted. Returns the end, if this is it. */
  step(): Promise<FollowEnd | undefined>
  /** Returns whether all processes of the last look end with this process, and the run is on this machine. */
  isNear(): boolean
  /** Returns rows that were done at the last look, and the error of an engine that did not respond. */
  last(): { readonly processed: number; readonly silence: unknown }
}

/** Begins to follow a run. @throws `bad_document` if the location has no plan */
export async function openFollower(store: RunStore, options: FollowOptions): Promise<Follower> {
  const { engines, now, signal, onProgress, onNote } = options
  const reader = openRunState(store)
  const seen = new Map<number, SeenShard>()
  let { request } = options
  let run = await reader.read(signal)
  const noted = { since: now(), keys: new Set<string>() }
  let doneAt: number | undefined
  let isNear = false
  let silence: unknown

  function mergedEnd(isMerging: boolean): FollowEnd | undefined {
    doneAt ??= now()
    const isMerged = run.merged !== undefined
    const isOver = isMerged || !isMerging || now() - doneAt > MAX_MERGE_MS
    return isOver ? { kind: "done", isMerged } : undefined
  }
  return {
    isNear: () => isNear,
    last: () => ({ processed: run.processed, silence }),
    async step() {
      // Engines first: a shard publishes its rows before its process ends.
      const { submissions, isMerging, isCancelled, ...found } = await engines.look(missingOf(run), signal)
      run = await reader.read(signal)
      silence = found.silence
      isNear = store.folder !== undefined && submissions.every(({ isTied }) => isTied)
      noteSeen(seen, run, { submissions, now: now() })
      onProgress(describeRun(run, submissions, isCancelled))
      noteFailures(run, noted, onNote)
      if (missingOf(run).size === 0) return mergedEnd(isMerging)
      if (isCancelled && request === undefined) return { kind: "cancelled" }
      const ended = endedShards(run, submissions, { seen, now: now(), isAsked: request !== undefined })
      const end = request === undefined ? endOf(ended, run) : undefined
      if (end === undefined && ended.length > 0) await submitEnded(ended, request, run, options)
      request = undefined
      return end
    },
  }
}

/**
 * Follows a run until all of its shards are published. Submits shards again that ended without their rows, up to the retries of their submission.
 * A storage or an engine that does not respond is asked again for 15 minutes.
 * @throws the error of a storage or an engine that is silent for longer, or that refuses the first submission; the reason of the signal
 */
export async function followRun(store: RunStore, options: FollowOptions): Promise<FollowEnd> {
  const { now, sleep, signal } = options
  const silence = watchSilence(options)
  const follower = await openFollower(store, options)
  for (let isFirst = options.request !== undefined; ; isFirst = false) {
    signal.throwIfAborted()
    const start = now()
    try {
      const end = await follower.step()
      if (end !== undefined) return end
      const { processed, silence: error } = follower.last()
      silence.note(error, processed)
    } catch (error) {
      signal.throwIfAborted()
      // What a user asks for is refused at once.
      if (isFirst) throw error
      silence.note(error, follower.last().processed)
    }
    const pause = Math.max(follower.isNear() ? NEAR_PAUSE_MS : REMOTE_PAUSE_MS, (now() - start) * PAUSE_FACTOR)
    await sleep(Math.min(pause, MAX_PAUSE_MS), signal)
  }
}

/** How many failures of processes are reported while the run continues. */
const MAX_NOTED = 5

interface NotedFailures {
  /** Milliseconds since 1970, UTC. Failures before are not told. */
  readonly since: number
  readonly keys: Set<string>
}

/** Says that a process of a shard has failed. Its engine may start another one by itself. */
function noteFailures({ shards }: RunState, { since, keys }: NotedFailures, onNote: FollowOptions["onNote"]): void {
  for (const { index, failure } of shards) {
    if (failure === undefined || failure.at < since || keys.size >= MAX_NOTED) continue
    const key = `${index} ${failure.attempt}`
    if (keys.has(key)) continue
    keys.add(key)
    onNote(`Shard ${index} has failed: ${failure.message}`)
  }
}

function missingOf({ shards }: RunState): ReadonlySet<number> {
  return new Set(shards.flatMap(({ index, state }) => (state === "done" ? [] : [index])))
}

function endOf(ended: readonly EndedShard[], run: RunState): FollowEnd | undefined {
  const never = ended.filter(({ by }) => by === undefined)
  if (never.length > 0) return { kind: "not-submitted", missing: never.length }
  const failed = ended.filter(({ mayRetry }) => !mayRetry)
  const shard = failed.find(({ index }) => run.shards[index]?.failure !== undefined) ?? failed[0]
  return shard === undefined ? undefined : { kind: "failed", shard, run }
}

/** Submits shards that nothing executes: as a user asks for it now, or each as it was submitted before. */
async function submitEnded(
  ended: readonly EndedShard[],
  request: FollowOptions["request"],
  run: RunState,
  { submit, onNote }: FollowOptions,
): Promise<void> {
  if (request !== undefined) {
    await submit({ ...request, indexes: ended.map(({ index }) => index), round: 0 }, run)
    return
  }
  const groups = Map.groupBy(ended, ({ by, isInterrupted }) => `${by?.number} ${isInterrupted}`)
  for (const shards of groups.values()) {
    const { by, isInterrupted = false } = shards[0] ?? {}
    if (by === undefined) continue
    const { number: _number, at: _at, given: _given, hasFailed: _hasFailed, ...before } = by
    const indexes = shards.map(({ index }) => index)
    const round = Math.max(0, isInterrupted ? by.round : by.round + 1)
    const isPrepared = by.round < 0
    if ((await submit({ ...before, indexes, round }, run)) === undefined || isPrepared) continue
    onNote(isInterrupted ? describeContinued(shards) : describeAgain(shards, { round, retries: by.retries }, run))
  }
}

function describeContinued(shards: readonly EndedShard[]): string {
  return `${shards.length === 1 ? "1 shard was" : `${shards.length} shards were`} interrupted, and ${shards.length === 1 ? "is" : "are"} submitted again.`
}

function describeAgain(
  shards: readonly EndedShard[],
  { round, retries }: { readonly round: number; readonly retries: number },
  run: RunState,
): string {
  const [first] = shards
  const failure = first === undefined ? undefined : (run.shards[first.index]?.failure?.message ?? first.reason)
  const which = shards.length === 1 ? `Shard ${first?.index} has` : `${shards.length} shards have`
  const why = failure === undefined ? "" : ` (${failure})`
  return `${which} ended without rows${why}: submitted again, ${round} of ${retries}.`
}

function describeRun(run: RunState, submissions: readonly WatchedSubmission[], isCancelled: boolean): FollowedRun {
  const last = lastSubmissions(submissions)
  const isAlive = (index: number): boolean => {
    const by = last.get(index)
    // Without a submission, somebody runs the shard by hand.
    return by === undefined ? !isCancelled : by.looked?.get(index)?.state !== "ended"
  }
  const done = run.shards.filter(({ state }) => state === "done").length
  const running = run.shards.filter(({ index, state }) => state === "running" && isAlive(index)).length
  return { ...run, done, running, waiting: run.shards.length - done - running }
}
