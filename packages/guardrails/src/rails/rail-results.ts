import { AssayError, type ActivatedRail, type CheckStatus } from "@assay/schemas"
import type { RailOutcome } from "./rail.ts"

/** One status for several rails: blocked if any is, else unknown if any is. */
export function statusOf(rails: readonly Pick<ActivatedRail, "status">[]): CheckStatus {
  const statuses = new Set(rails.map(({ status }) => status))
  if (statuses.has("blocked")) return "blocked"
  return statuses.has("unknown") ? "unknown" : "success"
}

/** @throws how asking failed, where the policy is to pass that on and no rail blocks */
export function checkFailures(outcomes: readonly RailOutcome[]): void {
  if (statusOf(outcomes.map(({ rail }) => rail)) === "blocked") return
  const failure = outcomes.find((outcome) => outcome.failure !== null)?.failure
  if (failure !== undefined && failure !== null) throw failure
}

/**
 * For chat, which can't go on without knowing.
 * @throws as `checkFailures`; `judge_output_unreadable` where a rail's policy for what it can't tell is `error` and no rail blocks
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
