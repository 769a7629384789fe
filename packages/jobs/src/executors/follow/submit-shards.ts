import { AssayError } from "@assay/schemas"
import type { ShardPlan } from "../../cut-runs/shard-plan.ts"
import type { Executor, ShardWork } from "../executor.ts"
import type { StoredSubmission, SubmissionRequest, Submissions } from "./submissions.ts"

export interface SubmitOptions {
  readonly plan: Pick<ShardPlan, "id" | "name" | "shards" | "at_once">
  /** The run, as its processes name it. */
  readonly run: string
  readonly executor: Executor
  readonly submissions: Submissions
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Returns what an executor gets for a request. */
export function workOf(request: SubmissionRequest, { plan, run }: Pick<SubmitOptions, "plan" | "run">): ShardWork {
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

/**
 * Submits shards. The submission is kept before its engine is asked, so that two processes that follow a run do not submit the same shards. Returns
 * undefined if another process has submitted something meanwhile: look again.
 * @throws `executor_failed`
 */
export async function submitShards(
  request: SubmissionRequest,
  { plan, run, executor, submissions, now, signal }: SubmitOptions,
): Promise<StoredSubmission | undefined> {
  if (request.indexes.length === 0) throw new AssayError("internal", "There are no shards to submit.")
  const at = now()
  const number = await submissions.claim({ ...request, at })
  if (number === undefined) return undefined
  try {
    const given = await executor.submit(workOf(request, { plan, run }), signal)
    await submissions.settle(number, given)
    return { ...request, number, at, given, hasFailed: false }
  } catch (error) {
    // Nothing runs: the next process need not wait for this submission.
    const { executor: name, indexes } = request
    await submissions.settle(number, { executor: name, ids: [], indexes, merges: false }).catch(() => {})
    throw error
  }
}
