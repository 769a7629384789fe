import { AssayError, printable } from "@assay/schemas"
import type { MergedRun } from "../cut-runs/merged-run.ts"
import { openRunState } from "../cut-runs/run-state.ts"
import { failureLine } from "./follow/failure-line.ts"
import { failedRun } from "./follow/failed-run.ts"
import { type FollowEnd, type FollowedRun, type FollowOptions, followRun, openFollower } from "./follow/follow-run.ts"
import type { StoredSubmission } from "./follow/submissions.ts"
import { workOf } from "./follow/submit-shards.ts"
import { waitForShards } from "./follow/wait-for-shards.ts"
import { type EngineRequest, type EngineRun, notSubmitted, openEngineRun } from "./open-engine-run.ts"
import { chooseProfile } from "./profiles/read-profile.ts"
import { submitAgain, submitMissing, submitTo } from "./submit-run.ts"

/** Returns a text of what would be submitted for the shards that are missing. Submits nothing. */
async function render(run: EngineRun, request: EngineRequest, signal: AbortSignal): Promise<string> {
  const { plan, shards } = await openRunState(run.store).read(signal)
  const missing = shards.flatMap(({ index, state }) => (state === "done" ? [] : [index]))
  const executor = await run.executorOf(request)
  const indexes = missing.length === 0 ? shards.map(({ index }) => index) : missing
  return executor.render(workOf({ ...request, indexes, round: 0 }, { plan, run: run.store.location }))
}

export interface FollowEnginesOptions extends Pick<FollowOptions, "request" | "onProgress" | "onNote" | "signal"> {
  /** Whether an interrupt stops all processes of the run. Else only those end that end with this process. */
  readonly cancels: boolean
  /** Receives the ids of what an interrupt ends, before it is ended. Not called if the processes keep running. */
  readonly onCancel?: (ids: readonly string[]) => void
}

/** Follows a run to its end. See `followRun`. A run that fails is stopped. */
async function follow(run: EngineRun, { cancels, onCancel, ...options }: FollowEnginesOptions): Promise<FollowEnd> {
  const { store, engines, ports } = run
  const { signal } = options
  const own: StoredSubmission[] = []
  const submit: FollowOptions["submit"] = async (asked, state) => {
    const submitted = await submitTo(run, asked, state, signal)
    if (submitted !== undefined) own.push(submitted)
    return submitted
  }
  const { now, sleep } = ports
  try {
    const end = await followRun(store, { ...options, engines, submit, now, sleep })
    if (end.kind === "failed") await stopFailed(run)
    return end
  } catch (error) {
    if (signal.aborted && cancels) {
      const ending = await endsWithInterrupt(run, own)
      if (ending !== undefined) {
        onCancel?.(ending)
        await engines.cancel()
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

/** Returns whether an engine has a submission. It has none that it refused, and none that a follower has yet to submit. */
function isGiven({ given, round }: StoredSubmission): boolean {
  return given !== undefined && given.ids.length > 0 && round >= 0
}

/** Ends the processes that end with this process, and waits for them. */
async function endTied(run: EngineRun, own: readonly StoredSubmission[]): Promise<void> {
  for (const stored of own) {
    const executor = await run.executorOf(stored)
    if (executor.isTied === true && stored.given !== undefined) await executor.cancel(stored.given).catch(() => {})
  }
}

/** Notes that a run has failed, and stops what still runs. A full disk, or an engine that does not stop them, must not hide why the run failed. */
async function stopFailed({ submissions, executorOf }: EngineRun): Promise<void> {
  await submissions.fail().catch(() => {})
  for (const stored of (await submissions.list()).active) {
    if (stored.given === undefined || stored.given.ids.length === 0) continue
    const executor = await executorOf(stored)
    await executor.cancel(stored.given).catch(() => {})
  }
}

/**
 * Stops all processes of a run, and notes that nobody submits its shards again. Returns the ids of what it stopped.
 * @throws `executor_failed`; `bad_usage` if nothing was submitted; `illegal_transition` if the run is merged
 */
async function cancel(run: EngineRun): Promise<readonly string[]> {
  const { store, submissions, engines } = run
  const { active, isCancelled } = await submissions.list()
  const { merged } = await openRunState(store).read()
  if (merged !== undefined) {
    const message = `The run '${printable(store.location)}' has ended (${printable(merged.status)}): nothing was cancelled.`
    throw new AssayError("illegal_transition", message)
  }
  if (active.length === 0 && !isCancelled) throw notSubmitted(store)
  await engines.cancel()
  return shownIds(run, active.filter(isGiven))
}

/** Reads what the processes of a shard have written, the last attempt last. */
async function* logs(
  { store, submissions, executorOf }: EngineRun,
  index: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { all } = await submissions.list(signal)
  const having = all.filter(
    ({ given, indexes }) => given !== undefined && given.ids.length > 0 && indexes.includes(index),
  )
  for (const [at, { given, ...stored }] of having.entries()) {
    const executor = await executorOf(stored)
    // Processes of this machine keep the output of all attempts in the folder of the run.
    if (given === undefined || (executor.isTied === true && store.folder !== undefined && at < having.length - 1))
      continue
    yield* executor.logs(given, index, signal)
  }
}

/** How a run is, without a change to it. */
export interface EngineRunState {
  readonly run: FollowedRun
  /** Those that an engine has, the oldest first. */
  readonly submissions: readonly (StoredSubmission & { readonly shownIds: readonly string[] })[]
  /** Whether an engine was ever asked for the run. If not, its shards are run by hand. */
  readonly isSubmitted: boolean
  /** `active`: an engine executes its shards or its merge. `idle`: nothing executes the shards that are missing. */
  readonly state: "active" | "idle" | "cancelled" | "failed" | "done"
}

/** Looks at a run once, and changes nothing. @throws `executor_failed` if an engine does not respond */
async function look(run: EngineRun, signal: AbortSignal): Promise<EngineRunState> {
  const { store, engines, ports } = run
  let shown: FollowedRun | undefined
  let isIdle = false
  const submit = async (): Promise<undefined> => {
    isIdle = true
    return undefined
  }
  const onProgress = (found: FollowedRun): void => void (shown = found)
  const { now, sleep } = ports
  const options = { engines, request: undefined, submit, onProgress, onNote: () => {}, now, sleep, signal }
  const follower = await openFollower(store, options)
  const end = await follower.step()
  const { silence } = follower.last()
  if (silence !== undefined) throw silence
  if (shown === undefined) throw new AssayError("internal", "A look at a run shows nothing.")
  const { active, all } = await run.submissions.list(signal)
  const kind = end?.kind
  const state = kind === undefined ? (isIdle ? "idle" : "active") : kind === "not-submitted" ? "idle" : kind
  const submissions = await Promise.all(
    active.filter(isGiven).map(async (stored) => ({ ...stored, shownIds: await shownIds(run, [stored]) })),
  )
  return { run: shown, submissions, isSubmitted: all.length > 0, state }
}

/** Characters of the end of a log in which the failure of a shard is looked for. */
const MAX_TAIL = 20_000

/** Returns the end of a run that failed, as that of a merge. */
async function failed(
  run: EngineRun,
  end: Extract<FollowEnd, { readonly kind: "failed" }>,
  signal: AbortSignal,
): Promise<MergedRun> {
  let lastLine: string | undefined
  if (end.run.shards[end.shard.index]?.failure === undefined) {
    let tail = ""
    for await (const text of logs(run, end.shard.index, signal)) tail = (tail + text).slice(-MAX_TAIL)
    lastLine = failureLine(tail)
  }
  return failedRun(run.store, end, { now: run.ports.now, lastLine })
}

/** Returns the request of the last submission, also of a cancelled one, to submit missing shards again. @throws `bad_usage` if there is none */
async function lastRequest({ store, submissions }: EngineRun, signal: AbortSignal): Promise<EngineRequest> {
  const last = (await submissions.list(signal)).all.at(-1)
  if (last === undefined) throw notSubmitted(store)
  const { executor, profile, program, options, at_once, retries, merges } = last
  return { executor, profile, program, options, at_once, retries, merges }
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
  failed,
  lastRequest,
  cancel,
  logs,
})
