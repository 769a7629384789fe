import type { JudgeOptions } from "../../judge.ts"
import type { RailInput, RailOutcome } from "../rail.ts"
import { ensembleOutcome, findingOfMember, type MissingMember } from "./ensemble-outcome.ts"
import type { EnsembleSetup } from "./open-ensemble.ts"

/**
 * Asks one member after the other until one says safe; one that blocks, is unsure, can't be read or fails sends on to the next.
 * The last one that was asked decides, under its own policy.
 */
export async function runCascade(
  { name, members, now }: EnsembleSetup,
  input: RailInput,
  options: JudgeOptions,
): Promise<RailOutcome> {
  const start = now()
  const outcomes: (RailOutcome | MissingMember)[] = members.map(() => "saved")
  let last: RailOutcome | null = null
  for (const [index, member] of members.entries()) {
    last = await member.run(input, options)
    outcomes[index] = last
    if (last.finding === "safe") break
  }
  if (last === null) throw new RangeError(`Ensemble '${name}' has no flows.`)
  return ensembleOutcome(name, findingOfMember(last), { members, outcomes, latencyMs: now() - start })
}
