import { AssayError, type ActivatedRail, type CheckStatus, type RailPlace } from "@assay/schemas"
import type { JudgeOptions } from "../judge.ts"
import type { Rail, RailInput, RailOutcome } from "./rail.ts"

/**
 * Runs rails concurrently. The first block cancels the rest. The outcomes are in the order of the rails; null means that a rail was
 * cancelled before it ended.
 */
export async function runUntilBlocked(
  rails: readonly Rail[],
  input: RailInput,
  options: JudgeOptions,
): Promise<readonly (RailOutcome | null)[]> {
  const [only] = rails
  if (only !== undefined && rails.length === 1) return [await only.run(input, options)]
  const { signal, cancel } = linkSignal(options.signal)
  let isCancelled = false
  const stop = () => {
    isCancelled = true
    cancel()
  }
  return Promise.all(
    rails.map(async (rail) => {
      try {
        const outcome = await rail.run(input, { ...options, signal })
        if (outcome.rail.status === "blocked") stop()
        return outcome
      } catch (error) {
        if (isCancelled && options.signal?.aborted !== true) return null
        stop()
        throw error
      }
    }),
  )
}

/** Runs rails one after the other until one blocks. */
export async function runInOrder(
  rails: readonly Rail[],
  input: RailInput,
  options: JudgeOptions,
): Promise<readonly RailOutcome[]> {
  const outcomes: RailOutcome[] = []
  for (const rail of rails) {
    const outcome = await rail.run(input, options)
    outcomes.push(outcome)
    if (outcome.rail.status === "blocked") break
  }
  return outcomes
}

/** Runs rails concurrently, each to its end. */
export function runAll(rails: readonly Rail[], input: RailInput, options: JudgeOptions): Promise<RailOutcome[]> {
  return Promise.all(rails.map((rail) => rail.run(input, options)))
}

export interface LinkedSignal {
  readonly signal: AbortSignal
  readonly cancel: () => void
}

/** Returns a signal that is aborted with `outer`, or by `cancel`. */
export function linkSignal(outer: AbortSignal | undefined): LinkedSignal {
  const own = new AbortController()
  const signal = outer === undefined ? own.signal : AbortSignal.any([outer, own.signal])
  return { signal, cancel: () => own.abort() }
}

/** An outcome, and what its rail judges. */
export interface PlacedOutcome extends RailOutcome {
  readonly place: RailPlace
}

/** Adds to outcomes what their rails judge. */
export function placed(outcomes: readonly RailOutcome[], place: RailPlace): readonly PlacedOutcome[] {
  return outcomes.map((outcome) => ({ ...outcome, place }))
}

/** Returns the rails of outcomes as answers show them: with what they judge, and whether they blocked. */
export function shownRails(outcomes: readonly PlacedOutcome[]): readonly ActivatedRail[] {
  return outcomes.map(({ rail, place }) => ({ ...rail, type: place, stop: rail.status === "blocked" }))
}

/** Combines the statuses of several rails: blocked if any is blocked, otherwise unknown if any is unknown. */
export function statusOf(rails: readonly Pick<ActivatedRail, "status">[]): CheckStatus {
  const statuses = new Set(rails.map(({ status }) => status))
  if (statuses.has("blocked")) return "blocked"
  return statuses.has("unknown") ? "unknown" : "success"
}

/** Checks outcomes for failures. @throws the error of a judge if its policy is to pass it on and no rail blocks */
export function checkFailures(outcomes: readonly RailOutcome[]): void {
  if (statusOf(outcomes.map(({ rail }) => rail)) === "blocked") return
  const failure = outcomes.find((outcome) => outcome.failure !== null)?.failure
  if (failure !== undefined && failure !== null) throw asRetried(failure)
}

/** Marks the error of a judge, which was asked several times, so that clients do not send the whole chat again. */
function asRetried({ code, message, context, issues, cause }: AssayError): AssayError {
  return new AssayError(code, message, { context: { ...context, is_retried: true }, issues, cause })
}

/**
 * Checks outcomes for a chat, which needs a clear decision.
 * @throws as `checkFailures`; `judge_output_unreadable` if the policy of an undecided rail is `error` and no rail blocks
 */
export function checkKnown(outcomes: readonly RailOutcome[]): void {
  checkFailures(outcomes)
  const rails = outcomes.map(({ rail }) => rail)
  const unknown = rails.find(({ status }) => status === "unknown")
  if (statusOf(rails) !== "unknown" || unknown === undefined) return
  const found =
    unknown.unreadable === null ? "calls the text controversial" : `gave no verdict (${unknown.unreadable.reason})`
  const message = `The judge of rail '${unknown.name}' ${found}, and the rail's policy is ${unknown.policy}. Set that policy to block or allow, or use a judge that answers clearly.`
  throw new AssayError("judge_output_unreadable", message, {
    context: { rail: unknown.name, policy: unknown.policy, unreadable: unknown.unreadable },
  })
}
