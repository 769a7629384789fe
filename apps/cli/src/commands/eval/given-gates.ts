import type { jobGates } from "@assay/local"
import { type ScoreGate, scoreGates } from "@assay/results"
import type { EvaluationResult, JobVerdict } from "@assay/schemas"

type Outcomes = ReturnType<typeof scoreGates.check>

/** Options of commands that give gates to a job, besides those of its file. */
export interface GateOptions {
  readonly gate?: readonly string[] | undefined
  readonly stopEarly?: boolean
}

/** Returns the gates that a command gives to a job. @throws `bad_usage` for a text that is not a gate */
export function gatesGiven({
  gate = [],
  stopEarly = false,
}: GateOptions): NonNullable<Parameters<typeof jobGates.ofFile>[1]> {
  return { given: gate.map(scoreGates.parse), stopEarly }
}

/**
 * Compares the result of a job that has ended with gates that are not its own, which are decided together. Gates that the job is judged by anyway are left out,
 * because their verdict is known.
 */
export function compareOthers(result: EvaluationResult, own: Outcomes, limits: readonly ScoreGate[]): Outcomes {
  const found = scoreGates.check(result, limits)
  const isOwn = (at: number) => own.some(({ name, limit }) => name === found[at]?.name && limit === found[at].limit)
  return scoreGates.check(
    result,
    limits.filter((_limit, at) => !isOwn(at)),
  )
}

/** Says that gates are of a command, and what the job itself is judged by. Empty without such gates. */
export function noteOnOthers(others: Outcomes, verdict: JobVerdict | null): readonly string[] {
  if (others.length === 0) return []
  const named = others.map(({ name, limit }) => `${name} ${limit}`).join(", ")
  const own = verdict === null ? "which has no verdict" : `whose own verdict is ${verdict}`
  return [`Compared by this command alone, and not a part of the job, ${own}: ${named}.`]
}
