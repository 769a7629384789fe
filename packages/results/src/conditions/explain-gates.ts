import { formatScore } from "@assay/reports"
import { printable } from "@assay/schemas"
import type { GateOutcome } from "../scores/check-gates.ts"

/** Gates that are explained, the failed ones first. */
const MAX_GATES = 10

/** Says which gates failed or are not decided, and why. Returns no sentence for gates that passed, unless all did. */
export function explainGates(gates: readonly GateOutcome[]): readonly string[] {
  const failed = gates.filter(({ verdict }) => verdict === "FAIL")
  const open = gates.filter(({ verdict }) => (verdict ?? "INCONCLUSIVE") === "INCONCLUSIVE")
  if (failed.length + open.length === 0) {
    return gates.length === 0 ? [] : [gates.length === 1 ? "Its gate passed." : `All ${gates.length} gates passed.`]
  }
  const sentences = [...failed, ...open].map(explainGate)
  const left = sentences.length - MAX_GATES
  return [
    ...(gates.length === 1
      ? []
      : [`Of ${gates.length} gates, ${failed.length} failed and ${open.length} could not be decided.`]),
    ...sentences.slice(0, MAX_GATES),
    ...(left > 0 ? [`${left} more are in the report.`] : []),
  ]
}

function explainGate({ name, limit, value, low, high, verdict, reason }: GateOutcome): string {
  const gate = `The gate '${printable(name)} ${printable(limit)}'`
  const interval = low === null || high === null ? "" : ` (interval ${formatScore(low)} to ${formatScore(high)})`
  const score = `the score is ${formatScore(value)}${interval}`
  if (verdict === "FAIL") return `${gate} failed: ${score}.`
  const why = reason ?? `${score}, and the rows are too few to say on which side of the limit it is`
  return `${gate} could not be decided: ${printable(why).replace(/\.$/, "")}.`
}
