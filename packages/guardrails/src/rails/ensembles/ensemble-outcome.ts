import type { ActivatedRail, RailMember, TokenUsage } from "@assay/schemas"
import type { Rail, RailOutcome } from "../rail.ts"

/** What an ensemble found, as the fields of its own that its members don't tell. */
export type EnsembleFinding = Pick<RailOutcome, "finding" | "failure"> &
  Pick<ActivatedRail, "status" | "verdict" | "unreadable" | "policy" | "error">

/** Why there is no outcome: `cancelled` was asked, and another member decided first; `saved` was never asked. */
export type MissingMember = "cancelled" | "saved"

/** The outcome of an ensemble whose members, in their order, came out as `outcomes` say. */
export function ensembleOutcome(
  name: string,
  { finding, failure, ...found }: EnsembleFinding,
  {
    members,
    outcomes,
    latencyMs,
  }: {
    readonly members: readonly Rail[]
    readonly outcomes: readonly (RailOutcome | MissingMember)[]
    readonly latencyMs: number
  },
): RailOutcome {
  const done = outcomes.filter((outcome) => typeof outcome !== "string")
  const rail: ActivatedRail = {
    name,
    ...found,
    latency_ms: latencyMs,
    usage: sumOf(done.map(({ rail }) => rail.usage)),
    members: outcomes.map((outcome, index) => memberOf(outcome, members[index]?.name ?? "")),
    calls_saved: outcomes.filter((outcome) => outcome === "saved").length,
  }
  return { rail, finding, failure, answers: done.flatMap(({ answers }) => answers) }
}

/** Everything that an ensemble takes over from the member that decided. */
export function findingOfMember({ rail, finding, failure }: RailOutcome): EnsembleFinding {
  const { status, verdict, unreadable, policy, error } = rail
  return { finding, failure, status, verdict, unreadable, policy, error }
}

function memberOf(outcome: RailOutcome | MissingMember, name: string): RailMember {
  if (typeof outcome !== "string") {
    const { members: _members, calls_saved: _saved, ...fields } = outcome.rail
    return { ...fields, asked: true }
  }
  const nothing = { verdict: null, unreadable: null, policy: null, error: null, latency_ms: 0, usage: null }
  return { name, status: "unknown", ...nothing, asked: outcome === "cancelled" }
}

function sumOf(usages: readonly (TokenUsage | null)[]): TokenUsage | null {
  const known = usages.filter((usage) => usage !== null)
  if (known.length === 0) return null
  const total = (key: keyof TokenUsage) => known.reduce((sum, usage) => sum + usage[key], 0)
  return {
    prompt_tokens: total("prompt_tokens"),
    completion_tokens: total("completion_tokens"),
    total_tokens: total("total_tokens"),
  }
}
