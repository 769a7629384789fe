import { gate, type GateLimit, type GateVerdict } from "@assay/metrics"
import { invalidRequest, type AssayError, type EvaluationResult, type Score } from "@assay/schemas"
import { listScores } from "./list-scores.ts"

export interface ScoreGate {
  /** `task.metric.score` */
  readonly name: string
  readonly limit: GateLimit
}

export interface GateOutcome {
  readonly name: string
  /** `>= 0.8` */
  readonly limit: string
  readonly value: Score["value"]
  /** The range that was compared with the limit; null if there is none. */
  readonly low: number | null
  readonly high: number | null
  readonly verdict: GateVerdict
}

/**
 * Compares scores with their limits. A gate passes if the whole interval keeps the limit. A score over all rows, such as
 * corpus BLEU, has no interval and is compared by its value. A gate is INCONCLUSIVE if nothing was scored, or if there are
 * fewer rows than a valid interval needs.
 *
 * @throws `invalid_request` for a score that the result does not have
 */
export function checkGates(result: EvaluationResult, gates: readonly ScoreGate[]): readonly GateOutcome[] {
  const scores = new Map(listScores(result).map(({ name, found }) => [name, found]))
  return gates.map(({ name, limit }) => {
    const found = scores.get(name)
    if (found === undefined) throw unknownScore(name, [...scores.keys()])
    const range = rangeOf(found)
    return {
      name,
      limit: "atLeast" in limit ? `>= ${limit.atLeast}` : `<= ${limit.atMost}`,
      value: found.value,
      low: range?.low ?? null,
      high: range?.high ?? null,
      verdict: gate(range, limit),
    }
  })
}

function rangeOf({ value, stats }: Score): { readonly low: number; readonly high: number } | null {
  if (stats !== undefined) return stats.interval
  return value === "NaN" ? null : { low: value, high: value }
}

function unknownScore(name: string, names: readonly string[]): AssayError {
  const known = names.length === 0 ? "it has no scores" : `it has ${names.join(", ")}`
  return invalidRequest(["gate"], `The result has no score '${name}'; ${known}.`, "value_error")
}
