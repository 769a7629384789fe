import type { RailPolicy, Unreadable } from "@assay/schemas"
import { decide } from "../decide.ts"
import type { RailOutcome } from "../rail.ts"
import type { EnsembleFinding } from "./ensemble-outcome.ts"

/**
 * Counts the votes of the members: more than half of them decide. A member with an unreadable answer abstains. A member that is
 * unsure or fails votes as its policy says, and abstains if that is `error`. Without a majority the ensemble is unreadable and its
 * own policy decides; then a failure under `on_error: error` is passed on.
 */
export function majorityVote(outcomes: readonly RailOutcome[], policy: RailPolicy | undefined): EnsembleFinding {
  const votes = outcomes.filter(({ finding, rail }) => finding !== "unreadable" && rail.status !== "unknown")
  const against = votes.filter(({ rail }) => rail.status === "blocked")
  const inFavour = votes.filter(({ rail }) => rail.status === "success")
  const [first] = against.length > inFavour.length ? against : inFavour
  const isTie = against.length === inFavour.length || first === undefined
  return isTie ? withoutMajority(outcomes, policy) : majorityOf(first)
}

function majorityOf({ rail }: RailOutcome): EnsembleFinding {
  const finding = rail.status === "blocked" ? "unsafe" : "safe"
  return {
    finding,
    failure: null,
    status: rail.status,
    verdict: rail.verdict,
    unreadable: null,
    policy: null,
    error: null,
  }
}

function withoutMajority(outcomes: readonly RailOutcome[], policy: RailPolicy | undefined): EnsembleFinding {
  const failed = outcomes.find(({ failure }) => failure !== null)
  if (failed !== undefined) {
    const decided = decide("error", policy)
    const failure = decided.decision === "error" ? failed.failure : null
    const { status, policy: decidedBy } = decided
    return {
      finding: "error",
      failure,
      status,
      verdict: null,
      unreadable: null,
      policy: decidedBy,
      error: failed.rail.error,
    }
  }
  const { status, policy: decidedBy } = decide("unreadable", policy)
  const unreadable: Unreadable = outcomes.every(({ finding }) => finding === "unreadable")
    ? (outcomes[0]?.rail.unreadable ?? { reason: "no_verdict", raw: "" })
    : { reason: "contradictory", raw: "" }
  return { finding: "unreadable", failure: null, status, verdict: null, unreadable, policy: decidedBy, error: null }
}
