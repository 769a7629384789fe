import type { JudgeOptions } from "../../judge.ts"
import { statusOf } from "../rail-results.ts"
import type { RailInput, RailOutcome } from "../rail.ts"
import { runUntilBlocked } from "../run-rails.ts"
import { ensembleOutcome, findingOfMember } from "./ensemble-outcome.ts"
import type { EnsembleSetup } from "./open-ensemble.ts"

/** Asks all members side by side, each under its own policy; the first block decides, and cancels the rest. */
export async function runAnyBlock(
  { name, members, now }: EnsembleSetup,
  input: RailInput,
  options: JudgeOptions,
): Promise<RailOutcome> {
  const start = now()
  const outcomes = await runUntilBlocked(members, input, options)
  const done = outcomes.filter((outcome) => outcome !== null)
  const status = statusOf(done.map(({ rail }) => rail))
  const alike = done.filter(({ rail }) => rail.status === status)
  const deciding = alike.find(({ failure }) => failure !== null) ?? alike[0]
  if (deciding === undefined) throw new RangeError(`Ensemble '${name}' has no flows.`)
  return ensembleOutcome(name, findingOfMember(deciding), {
    members,
    outcomes: outcomes.map((outcome) => outcome ?? "cancelled"),
    latencyMs: now() - start,
  })
}
