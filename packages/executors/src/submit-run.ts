import { AssayError, printable } from "@assay/schemas"
import { missingShards, openRunState } from "./run/run-state.ts"
import { knownBefore } from "./follow/missing-shards.ts"
import { type FollowOptions, openFollower } from "./follow/open-follower.ts"
import { requestOf, type StoredSubmission, type SubmissionRequest } from "./follow/submissions.ts"
import { type SeenRun, type SubmitOptions, submitShards } from "./follow/submit-shards.ts"
import { trustedRequest } from "./profiles/trusted-profile.ts"
import { type EngineRequest, type EngineRun, notSubmitted } from "./open-engine-run.ts"

export interface SubmitMissingOptions {
  readonly signal: AbortSignal
  /** Keep the request and submit nothing: the process that follows the run does. For processes that end with it. */
  readonly isPrepared?: boolean
}

/** Submits the shards that nothing executes, and returns at once. Undefined: nothing was missing, or an engine executes it already. @throws `executor_failed` */
export async function submitMissing(
  run: EngineRun,
  request: EngineRequest,
  { signal, isPrepared = false }: SubmitMissingOptions,
): Promise<StoredSubmission | undefined> {
  let submission: StoredSubmission | undefined
  const submit: FollowOptions["submit"] = async (asked, seen) =>
    (submission = isPrepared ? await prepare(run, asked, seen) : await submitTo(run, asked, seen, { signal }))
  const { now, sleep } = run.ports
  const follower = await openFollower(run.store, {
    engines: run.engines,
    request,
    submit,
    now,
    sleep,
    signal,
    onProgress: () => {},
    onNote: () => {},
  })
  await follower.step()
  return submission
}

/**
 * Submits the shards of a run that are missing again, as they were submitted before. For the merge that an engine starts when its shards have ended.
 * @returns undefined if none is missing
 * @throws `shards_missing` if they were submitted `max` times again already; `executor_failed`; `bad_usage` if nothing was submitted
 */
export async function submitAgain(
  run: EngineRun,
  { max, signal }: { readonly max: number; readonly signal: AbortSignal },
): Promise<StoredSubmission | undefined> {
  const state = await openRunState(run.store).read(signal)
  const missing = missingShards(state)
  if (missing.length === 0) return undefined
  const { active, isCancelled, last: seen } = await run.submissions.list(signal)
  const last = active.at(-1)
  if (last === undefined && !isCancelled) throw notSubmitted(run.store)
  if (last === undefined || last.round >= max) {
    const why =
      last === undefined
        ? "and the run was cancelled"
        : `and they were submitted again ${last.round === 1 ? "once" : `${last.round} times`} already`
    const failure = missing.map((index) => state.shards[index]?.failure?.message).find((one) => one !== undefined)
    const said = failure === undefined ? "" : ` The last failure: ${printable(failure)}`
    const message = `${missing.length} of ${state.shards.length} shards have no rows, ${why}.${said}`
    throw new AssayError("shards_missing", message)
  }
  return submitTo(run, { ...requestOf(last), indexes: missing, round: last.round + 1 }, { state, seen }, { signal })
}

async function prepare(
  { submissions, ports }: EngineRun,
  asked: SubmissionRequest,
  { state, seen }: SeenRun,
): Promise<StoredSubmission | undefined> {
  const { indexes } = asked
  const request = { ...asked, round: -1, at: ports.now(), before: knownBefore(state, indexes) }
  const number = await submissions.claim(request, seen)
  if (number === undefined) return undefined
  const given = { ids: [], indexes, merges: false }
  await submissions.settle(number, given)
  return { ...request, number, given, hasFailed: false }
}

/** Submits shards to the engine of a request. Returns undefined if another process has submitted something meanwhile. @throws `executor_failed` */
export async function submitTo(
  run: EngineRun,
  asked: SubmissionRequest,
  seen: SeenRun,
  { signal, maySubmit }: Pick<SubmitOptions, "signal" | "maySubmit">,
): Promise<StoredSubmission | undefined> {
  const { store, submissions, ports } = run
  const trusted = await trustedRequest(asked, ports)
  const executor = await run.executorOf(trusted)
  const options = { run: store.location, executor, submissions, maySubmit, now: ports.now, signal }
  return submitShards(trusted, seen, options)
}
