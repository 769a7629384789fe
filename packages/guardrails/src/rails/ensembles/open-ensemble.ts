import type { EnsembleKind, RailPolicy } from "@assay/schemas"
import type { JudgeOptions } from "../../judge.ts"
import type { Rail, RailInput, RailOutcome } from "../rail.ts"
import { runAll, runUntilBlocked, statusOf } from "../run-rails.ts"
import { type MissingMember, ensembleOutcome, findingOfMember } from "./ensemble-outcome.ts"
import { majorityVote } from "./majority-vote.ts"

export interface EnsembleSetup {
  /** The name of the flow in the spelling of the configuration. */
  readonly name: string
  readonly kind: EnsembleKind
  readonly members: readonly Rail[]
  readonly policy: RailPolicy | undefined
  /** Returns milliseconds, for durations. */
  readonly now: () => number
}

const RUNS = { majority: runMajority, "any-block": runAnyBlock, cascade: runCascade } as const

/** Opens a rail that asks other rails. Its entry in the log lists them. */
export function openEnsemble(setup: EnsembleSetup): Rail {
  return {
    name: setup.name,
    run: (input, options) => RUNS[setup.kind](setup, input, options),
  }
}

/** Asks all members concurrently, each under its own policy. The first block decides and cancels the rest. */
async function runAnyBlock(
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

/**
 * Asks one member after the other until one says safe. A member that blocks, is unsure, is unreadable or fails leads to the next
 * one. The last member that was asked decides, under its own policy.
 */
async function runCascade(
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

/** Asks all members concurrently. More than half of the votes decide. */
async function runMajority(
  { name, members, policy, now }: EnsembleSetup,
  input: RailInput,
  options: JudgeOptions,
): Promise<RailOutcome> {
  const start = now()
  const outcomes = await runAll(members, input, options)
  return ensembleOutcome(name, majorityVote(outcomes, policy), { members, outcomes, latencyMs: now() - start })
}
