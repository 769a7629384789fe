import { missingShards, openRunState, type RunState } from "../run/run-state.ts"
import type { RunStore } from "../run/run-store.ts"
import {
  type EndedShard,
  endedShards,
  lastSubmissions,
  noteSeen,
  type SeenShard,
  type WatchedSubmission,
} from "./missing-shards.ts"
import { isGiven, requestOf, type StoredSubmission, type SubmissionRequest } from "./submissions.ts"
import type { SeenRun } from "./submit-shards.ts"
import type { Engines, EnginesState } from "./watch-engines.ts"

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
  /** The request of a user: shards that nothing executes are submitted. Undefined: only shards that were submitted before. */
  readonly request: Omit<SubmissionRequest, "indexes" | "round"> | undefined
  /** Submits shards. Returns undefined if another process did so meanwhile. @throws `executor_failed` */
  readonly submit: (request: SubmissionRequest, seen: SeenRun) => Promise<StoredSubmission | undefined>
  readonly onProgress: (run: FollowedRun) => void
  /** Receives a sentence about something that happened. @param level default `warn` */
  readonly onNote: (text: string, level?: "info" | "warn") => void
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** How following a run ended. */
export type FollowEnd =
  /** All shards are published. `isMerged`: the engine has merged their results. */
  | { readonly kind: "done"; readonly isMerged: boolean }
  /** A shard ended without its rows, as often as it was allowed to. Others can still run. */
  | FailedEnd
  /** No shard was ever submitted, or not all of them, and nobody asks for it now. */
  | { readonly kind: "not-submitted"; readonly missing: number }
  /** Somebody has cancelled the run. */
  | { readonly kind: "cancelled" }

export interface FailedEnd {
  readonly kind: "failed"
  readonly shard: EndedShard
  readonly run: RunState
}

/** How long the merge of an engine may take to begin and to end. Then this process merges. */
const MAX_MERGE_MS = 15 * 60_000
/** Milliseconds until shards that an engine has refused are submitted again. They double up to the maximum. */
const FIRST_REFUSED_MS = 4000
const MAX_REFUSED_MS = 5 * 60_000

/** A run and its engines at one time. */
export interface RunLook extends Pick<EnginesState, "isMerging" | "isCancelled" | "last" | "silence"> {
  readonly run: FollowedRun
  /** Missing shards that nothing executes. */
  readonly ended: readonly EndedShard[]
  /** Whether all processes end with this process, and the run is on this machine. */
  readonly isNear: boolean
}

/** One who follows a run, look by look. */
export interface Follower {
  /** Looks once. @param isAsked whether a user asks now, and does not wait for what a follower would see */
  look(isAsked: boolean): Promise<RunLook>
  /** Looks once, and submits what has to be submitted. Returns the end, if this is it. */
  step(): Promise<FollowEnd | undefined>
  /** Returns whether the run of the last look is near, its rows that were done, and the error of an engine that did not respond. */
  last(): { readonly isNear: boolean; readonly processed: number; readonly silence: unknown }
}

/** Begins to follow a run. @throws `bad_document` if the location has no plan */
export async function openFollower(store: RunStore, options: FollowOptions): Promise<Follower> {
  const { engines, now, signal, onProgress, onNote } = options
  const reader = openRunState(store)
  const seen = new Map<number, SeenShard>()
  let { request } = options
  let run = await reader.read(signal)
  const noted = { keys: new Set(failuresOf(run).map(({ key }) => key)), left: MAX_NOTED }
  const notedEnds = new Set<string>()
  let doneAt: number | undefined
  let isNear = false
  let silence: unknown
  let refused: { readonly error: unknown; readonly pause: number; readonly nextAt: number } | undefined

  async function look(isAsked: boolean): Promise<RunLook> {
    // Engines first: a shard publishes its rows before its process ends.
    const missing = new Set(missingShards(run))
    const { submissions, ...found } = await engines.look(missing, signal)
    run = await reader.read(signal)
    isNear = store.folder !== undefined && submissions.every(({ isTied }) => isTied)
    noteSeen(seen, run, { submissions, now: now() })
    // Nothing was asked about shards that somebody has opened again meanwhile.
    const ended = endedShards(run, submissions, { seen, now: now(), isAsked }).filter(({ index }) => missing.has(index))
    return { ...found, run: describeRun(run, submissions, found.isCancelled), ended, isNear }
  }
  async function submitAll({ ended, last }: RunLook): Promise<void> {
    if (request === undefined && refused !== undefined && now() < refused.nextAt) {
      silence ??= refused.error
      return
    }
    try {
      await submitEnded(ended, { state: run, seen: last }, { ...options, request })
      refused = undefined
    } catch (error) {
      const pause = Math.min(MAX_REFUSED_MS, refused === undefined ? FIRST_REFUSED_MS : refused.pause * 2)
      refused = { error, pause, nextAt: now() + pause }
      throw error
    }
  }
  return {
    look,
    last: () => ({ isNear, processed: run.processed, silence }),
    async step() {
      const found = await look(request !== undefined)
      silence = found.silence
      onProgress(found.run)
      noteFailures(run, noted, onNote)
      noteEnds(run, notedEnds, onNote)
      if (found.run.done === run.shards.length) {
        doneAt ??= now()
        return mergedEnd(found, now() - doneAt)
      }
      if (found.isCancelled && request === undefined) return { kind: "cancelled" }
      const end = request === undefined ? endOf(found.ended, run) : undefined
      if (end === undefined && found.ended.length > 0) await submitAll(found)
      request = undefined
      return end
    },
  }
}

/** Returns the end of a run whose shards are published, unless its engine still merges. @param waited milliseconds since they are */
function mergedEnd({ run, isMerging }: Pick<RunLook, "run" | "isMerging">, waited: number): FollowEnd | undefined {
  const isMerged = run.merged !== undefined
  return isMerged || !isMerging || waited > MAX_MERGE_MS ? { kind: "done", isMerged } : undefined
}

/** How a run is. `active`: an engine executes its shards or its merge. `idle`: nothing executes the shards that are missing. */
export type RunActivity = "active" | "idle" | "cancelled" | "failed" | "done"

/** Returns how a run is at one look. @param now milliseconds since 1970, UTC */
export function activityOf({ ended, isCancelled, ...found }: RunLook, now: number): RunActivity {
  const { shards, done } = found.run
  if (done === shards.length) {
    const lastAt = Math.max(0, ...shards.map(({ progress }) => progress?.updated_at ?? 0))
    return mergedEnd(found, now - lastAt) === undefined ? "active" : "done"
  }
  if (isCancelled) return "cancelled"
  if (ended.length < shards.length - done) return "active"
  return ended.every(({ mayRetry }) => mayRetry) ? "idle" : "failed"
}

/** How many failures of processes are reported while the run continues. */
const MAX_NOTED = 5

interface NotedFailures {
  /** Failures that are known. */
  readonly keys: Set<string>
  left: number
}

function failuresOf({ shards }: RunState) {
  return shards.flatMap(({ index, failure }) =>
    failure === undefined ? [] : [{ key: `${index} ${failure.attempt}`, index, failure }],
  )
}

/** Says that a process of a shard has failed. Its engine may start another one by itself. */
function noteFailures(run: RunState, noted: NotedFailures, onNote: FollowOptions["onNote"]): void {
  for (const { key, index, failure } of failuresOf(run)) {
    if (noted.keys.has(key) || noted.left === 0) continue
    noted.keys.add(key)
    noted.left--
    onNote(`Shard ${index} has failed: ${failure.message}`)
  }
}

/** Says that a task has ended early. @param noted the tasks of which it was said */
function noteEnds({ endedEarly }: RunState, noted: Set<string>, onNote: FollowOptions["onNote"]): void {
  for (const task of endedEarly) {
    if (noted.has(task)) continue
    noted.add(task)
    onNote(`Task ${task} ended early: all of its gates are decided. Its other rows are not asked.`, "info")
  }
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
  { state, seen }: SeenRun,
  { request, submit, onNote }: Pick<FollowOptions, "request" | "submit" | "onNote">,
): Promise<void> {
  if (request !== undefined) {
    await submit({ ...request, indexes: ended.map(({ index }) => index), round: 0 }, { state, seen })
    return
  }
  let last = seen
  const groups = Map.groupBy(ended, ({ by, isInterrupted }) => `${by?.number} ${isInterrupted}`)
  for (const shards of groups.values()) {
    const { by, isInterrupted = false } = shards[0] ?? {}
    if (by === undefined) continue
    const indexes = shards.map(({ index }) => index)
    const round = Math.max(0, isInterrupted ? by.round : by.round + 1)
    const isPrepared = by.round < 0
    const submitted = await submit({ ...requestOf(by), indexes, round }, { state, seen: last })
    // Another process submits, or has ended the run: look again.
    if (submitted === undefined) return
    last = submitted.number
    if (isPrepared) continue
    onNote(isInterrupted ? describeContinued(shards) : describeAgain(shards, { round, retries: by.retries }, state))
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
    if (by === undefined) return !isCancelled
    const hasNothing = by.stored.given !== undefined && !isGiven(by.stored)
    return !hasNothing && by.looked?.get(index)?.state !== "ended"
  }
  const done = run.shards.filter(({ state }) => state === "done").length
  const running = run.shards.filter(({ index, state }) => state === "running" && isAlive(index)).length
  return { ...run, done, running, waiting: run.shards.length - done - running }
}
