import type { ActivatedRail, RailMember, TokenUsage } from "@assay/schemas"
import type { Rail, RailOutcome } from "../rail.ts"

/** The finding of an ensemble: the fields that do not follow from its members. */
export type EnsembleFinding = Pick<RailOutcome, "finding" | "failure"> &
  Pick<ActivatedRail, "status" | "verdict" | "unreadable" | "policy" | "error">

/** Why a member has no outcome. `cancelled`: it was asked, but another member decided first. `saved`: it was not asked. */
export type MissingMember = "cancelled" | "saved"

/** Creates the outcome of an ensemble from the outcomes of its members, in their order. */
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
    usage: sumOf(done.map(({ rail }) => rail)),
    members: outcomes.map((outcome, index) => memberOf(outcome, members[index]?.name ?? "")),
    calls_saved: outcomes.filter((outcome) => outcome === "saved").length,
  }
  return { rail, finding, failure, answers: done.flatMap(({ answers }) => answers) }
}

/** Returns the finding of an ensemble from the member that decided. */
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

/** Returns the sums of the members that answered. A sum is null if a part of it is not known. */
function sumOf(rails: readonly ActivatedRail[]): TokenUsage | null {
  const usages = rails.filter(({ error }) => error === null).map(({ usage }) => usage)
  if (usages.every((usage) => usage === null)) return null
  const sum = (key: keyof TokenUsage) =>
    usages.reduce<number | null>((before, usage) => addKnown(before, usage?.[key] ?? null), 0)
  return {
    prompt_tokens: sum("prompt_tokens"),
    completion_tokens: sum("completion_tokens"),
    total_tokens: sum("total_tokens"),
  }
}

function addKnown(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other
}
