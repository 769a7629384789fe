import { AssayError, isAssayError, printable } from "@assay/schemas"
import { missingShards, openRunState } from "./run/run-state.ts"
import type { Executor } from "./executor.ts"
import { failureLine } from "./follow/failure-line.ts"
import { describeFailure } from "./follow/describe-failure.ts"
import { followRun } from "./follow/follow-run.ts"
import type { WatchedSubmission } from "./follow/missing-shards.ts"
import {
  activityOf,
  type FailedEnd,
  type FollowEnd,
  type FollowOptions,
  openFollower,
  type RunActivity,
  type RunLook,
} from "./follow/open-follower.ts"
import { isGiven, requestOf, type StoredSubmission } from "./follow/submissions.ts"
import { type SubmitOptions, workOf } from "./follow/submit-shards.ts"
import { waitForShards } from "./follow/wait-for-shards.ts"
import { type EngineRequest, type EngineRun, notSubmitted, openEngineRun } from "./open-engine-run.ts"
import { chooseProfile } from "./profiles/read-profile.ts"
import { submitAgain, submitMissing, submitTo } from "./submit-run.ts"

/** Returns a text of what would be submitted for the shards that are missing. Submits nothing. */
async function render(run: EngineRun, request: EngineRequest, signal: AbortSignal): Promise<string> {
  const state = await openRunState(run.store).read(signal)
  const missing = missingShards(state)
  const executor = await run.executorOf(request)
  const indexes = missing.length === 0 ? state.shards.map(({ index }) => index) : missing
  return executor.render(workOf({ ...request, indexes, round: 0 }, { plan: state.plan, run: run.store.location }))
}

export interface FollowEnginesOptions extends Pick<FollowOptions, "request" | "onProgress" | "onNote" | "signal"> {
  /** Whether an interrupt stops all processes of the run. Else only those end that end with this process. */
  readonly cancels: boolean
  /** Receives the ids of what an interrupt ends, before it is ended. Not called if the processes keep running. */
  readonly onCancel?: (ids: readonly string[]) => void
  /** Returns whether this process may still submit shards. Asked just before each submission. Absent: it always may. */
  readonly maySubmit?: SubmitOptions["maySubmit"]
}

/** How following a run on engines ended. */
type EnginesEnd = Exclude<FollowEnd, FailedEnd> | (FailedEnd & { readonly message: string })

/** Follows a run to its end. See `followRun`. A run that fails is stopped, after the last line of the shard that failed is read. */
async function follow(
  run: EngineRun,
  { cancels, onCancel, maySubmit, ...options }: FollowEnginesOptions,
): Promise<EnginesEnd> {
  const { store, engines, ports } = run
  const { signal } = options
  const own: StoredSubmission[] = []
  const submit: FollowOptions["submit"] = async (asked, seen) => {
    const submitted = await submitTo(run, asked, seen, { signal, maySubmit })
    if (submitted !== undefined) own.push(submitted)
    return submitted
  }
  const { now, sleep } = ports
  try {
    const end = await followRun(store, { ...options, engines, submit, now, sleep })
    if (end.kind !== "failed") return end
    // An engine can delete the logs of what it stops.
    const lastLine = await lastLineOf(run, end, signal)
    await stopFailed(run, end, signal)
    return { ...end, message: describeFailure(end, lastLine) }
  } catch (error) {
    if (signal.aborted && cancels) {
      const ending = await endsWithInterrupt(run, own)
      if (ending !== undefined) {
        onCancel?.(ending)
        await stopAll(run, await run.submissions.end("cancelled"))
      }
    }
    throw error
  } finally {
    await endTied(run, own)
  }
}

/**
 * Returns the ids of what an interrupt of this process ends. Undefined: nothing, because the last submission was detached, or another process submitted it
 * to an engine of other machines.
 */
async function endsWithInterrupt(
  run: EngineRun,
  own: readonly StoredSubmission[],
): Promise<readonly string[] | undefined> {
  const having = (await run.submissions.list()).active.filter(isGiven)
  const last = having.at(-1)
  if (last === undefined) return []
  const { isTied = false } = await run.executorOf(last)
  if (last.merges || (!isTied && !own.some(({ number }) => number === last.number))) return undefined
  return shownIds(run, having)
}

/** Returns how the engines call submissions, for a message: ids, or the process that runs them on a machine. */
async function shownIds(run: EngineRun, all: readonly StoredSubmission[]): Promise<readonly string[]> {
  const ids = new Set<string>()
  for (const stored of all) {
    const { isTied = false } = await run.executorOf(stored)
    const own = stored.given?.ids ?? []
    for (const id of isTied ? [`process ${own[1]} of ${own[0]}`] : own) ids.add(id)
  }
  return [...ids]
}

/** Ends the processes that end with this process, and waits for them. */
async function endTied(run: EngineRun, own: readonly StoredSubmission[]): Promise<void> {
  for (const stored of own) {
    const executor = await run.executorOf(stored)
    if (executor.isTied === true && isGiven(stored)) await executor.cancel(stored.given).catch(() => {})
  }
}

/** Stops all processes of submissions. Tries all engines. @throws the error of the first one that did not stop them */
async function stopAll({ executorOf }: EngineRun, submissions: readonly StoredSubmission[]): Promise<void> {
  const failures: unknown[] = []
  for (const stored of submissions.filter(isGiven)) {
    try {
      await (await executorOf(stored)).cancel(stored.given)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Notes that a run has failed, and stops what still runs. A full disk, or an engine that does not stop them, must not hide why the run failed. */
async function stopFailed(run: EngineRun, end: FailedEnd, signal: AbortSignal): Promise<void> {
  const { submissions, engines } = run
  try {
    const looked = await engines.look(new Set(missingShards(end.run)), signal)
    const failed = await submissions.end("failed").catch(async () => (await submissions.list()).active)
    // The logs of a submission that has ended are still there for its user.
    const over = new Set(looked.submissions.filter(hasEnded).map(({ stored }) => stored.number))
    await stopAll(
      run,
      failed.filter(({ number }) => !over.has(number)),
    )
  } catch {
    signal.throwIfAborted()
  }
}

/** Returns whether an engine executes nothing of a submission any more. */
function hasEnded({ stored, looked }: WatchedSubmission): boolean {
  return stored.given?.merges === false && stored.indexes.every((index) => looked?.get(index)?.state === "ended")
}

/**
 * Stops all processes of a run, and notes that nobody submits its shards again. Returns the ids of what it stopped.
 * @throws `executor_failed`; `bad_usage` if nothing was submitted; `illegal_transition` if the run is merged
 */
async function cancel(run: EngineRun): Promise<readonly string[]> {
  const { store, submissions } = run
  const { all } = await submissions.list()
  const { merged } = await openRunState(store).read()
  if (merged !== undefined) {
    const message = `The run '${printable(store.location)}' has ended (${printable(merged.status)}): nothing was cancelled.`
    throw new AssayError("illegal_transition", message)
  }
  if (all.length === 0) throw notSubmitted(store)
  const cancelled = await submissions.end("cancelled")
  await stopAll(run, cancelled)
  return shownIds(run, cancelled.filter(isGiven))
}

/** Reads what the processes of a shard have written, the last attempt last. */
async function* logs(
  { store, submissions, executorOf }: EngineRun,
  index: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { all } = await submissions.list(signal)
  const having = all.filter((one) => isGiven(one) && one.indexes.includes(index))
  const executors: Executor[] = []
  for (const stored of having) executors.push(await executorOf(stored))
  for (const [at, stored] of having.entries()) {
    const executor = executors[at]
    // Processes of this machine keep the output of all attempts in the folder of the run.
    const isAgain = executor?.isTied === true && store.folder !== undefined && executors.lastIndexOf(executor) > at
    if (executor !== undefined && isGiven(stored) && !isAgain) yield* executor.logs(stored.given, index, signal)
  }
}

/** How a run is, without a change to it. */
export interface EngineRunState extends Pick<RunLook, "run"> {
  /** Those that an engine has, the oldest first. */
  readonly submissions: readonly (StoredSubmission & { readonly shownIds: readonly string[] })[]
  /** Whether an engine was ever asked for the run. If not, its shards are run by hand. */
  readonly isSubmitted: boolean
  readonly state: RunActivity
}

/** Looks at a run once, and changes nothing. @throws `executor_failed` if an engine does not respond */
async function look(run: EngineRun, signal: AbortSignal): Promise<EngineRunState> {
  const { store, engines, ports } = run
  const { now, sleep } = ports
  const submit = () => Promise.resolve(undefined)
  const silent = { onProgress: () => {}, onNote: () => {} }
  const follower = await openFollower(store, { engines, request: undefined, submit, ...silent, now, sleep, signal })
  const found = await follower.look(true)
  if (found.silence !== undefined) throw found.silence
  const { active, all } = await run.submissions.list(signal)
  const submissions = await Promise.all(
    active.filter(isGiven).map(async (stored) => ({ ...stored, shownIds: await shownIds(run, [stored]) })),
  )
  return { run: found.run, submissions, isSubmitted: all.length > 0, state: activityOf(found, now()) }
}

/** Characters of the end of a log in which the failure of a shard is looked for. */
const MAX_TAIL = 20_000

/** Returns what the process of a shard that failed wrote last, unless it noted its failure. Undefined: nothing, or its engine does not say. */
async function lastLineOf(run: EngineRun, { shard, run: state }: FailedEnd, signal: AbortSignal) {
  if (state.shards[shard.index]?.failure !== undefined) return undefined
  let tail = ""
  try {
    for await (const text of logs(run, shard.index, signal)) tail = (tail + text).slice(-MAX_TAIL)
  } catch (error) {
    // The reason of the end is worth more than why its log can't be read.
    signal.throwIfAborted()
    if (!isAssayError(error)) throw error
  }
  return failureLine(tail)
}

/** Returns the request of the last submission, also of a cancelled one, to submit missing shards again. Undefined if there is none. */
async function lastRequest({ submissions }: EngineRun, signal: AbortSignal): Promise<EngineRequest | undefined> {
  const last = (await submissions.list(signal)).all.at(-1)
  if (last === undefined) return undefined
  const { indexes: _indexes, round: _round, ...request } = requestOf(last)
  return request
}

/** Runs that engines execute: submit, follow, cancel, and read what their processes have written. */
export const engineRuns = Object.freeze({
  open: openEngineRun,
  profile: chooseProfile,
  render,
  submit: submitMissing,
  submitAgain,
  waitForShards,
  follow,
  look,
  lastRequest,
  cancel,
  logs,
})
