import { AssayError } from "@assay/schemas"
import type { ShardPlan } from "../run/shard-plan.ts"
import type { RunState } from "../run/run-state.ts"
import type { Executor, ShardWork } from "../executor.ts"
import { knownBefore } from "./missing-shards.ts"
import type { StoredSubmission, SubmissionRequest, Submissions } from "./submissions.ts"

/** The look on which a process decided to submit. */
export interface SeenRun {
  readonly state: RunState
  /** The last number of a submission. */
  readonly seen: number
}

export interface SubmitOptions {
  /** The run, as its processes name it. */
  readonly run: string
  readonly executor: Executor
  readonly submissions: Submissions
  /**
   * Returns whether this process may still submit shards of the run. Asked just before the submission is kept, and again before the engine gets it: a process
   * that was suspended does not know yet that another one follows the run. Absent: it always may.
   */
  readonly maySubmit?: (() => Promise<boolean>) | undefined
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Returns what an executor gets for a request. */
export function workOf(
  request: SubmissionRequest,
  { plan, run }: Pick<SubmitOptions, "run"> & { readonly plan: ShardPlan },
): ShardWork {
  const { indexes, program, options, merges, retries } = request
  return {
    run,
    id: plan.id,
    name: plan.name.replaceAll(/[^\w.-]+/g, "-").slice(0, 60) || "run",
    count: plan.shards.length,
    indexes,
    // The parallelism of the job was divided by the number of the plan.
    atOnce: Math.max(1, Math.min(request.at_once, plan.at_once, indexes.length)),
    program,
    options,
    merges,
    retries,
  }
}

const always = () => Promise.resolve(true)

/**
 * Submits shards. The submission is kept before its engine is asked, so that two processes that follow a run do not submit the same shards. Returns
 * undefined if another process has submitted something since the look, if the run was cancelled meanwhile, or if this process may not: look again.
 * @throws `executor_failed`
 */
export async function submitShards(
  request: SubmissionRequest,
  { state, seen }: SeenRun,
  { run, executor, submissions, maySubmit = always, now, signal }: SubmitOptions,
): Promise<StoredSubmission | undefined> {
  const { indexes } = request
  if (indexes.length === 0) throw new AssayError("internal", "There are no shards to submit.")
  if (!(await maySubmit())) return undefined
  const claimed = { ...request, at: now(), before: knownBefore(state, indexes) }
  const number = await submissions.claim(claimed, seen)
  if (number === undefined) return undefined
  // The claim is left as that of a killed process: whoever follows the run decides about it.
  if (!(await maySubmit())) return undefined
  // Nothing runs: the next process need not wait for this submission.
  const refuse = () => submissions.settle(number, { ids: [], indexes, merges: false }).catch(() => {})
  const given = await executor
    .submit(workOf(request, { plan: state.plan, run }), signal)
    .catch(async (error: unknown) => {
      await refuse()
      throw error
    })
  try {
    await submissions.settle(number, given)
    // A command that ended the run since the claim did not know what to stop.
    const { active } = await submissions.list()
    if (active.some((one) => one.number === number && !one.hasFailed)) {
      return { ...claimed, number, given, hasFailed: false }
    }
  } catch (error) {
    // Nobody else knows what the engine was given.
    await executor.cancel(given).then(refuse, () => {})
    throw error
  }
  await executor.cancel(given)
  return undefined
}
