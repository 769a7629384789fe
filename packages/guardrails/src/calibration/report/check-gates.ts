import { gate as gateOf, worstVerdict, type GateVerdict } from "@assay/metrics"
import type { CalibrationGate, JudgeReport, Rate } from "./calibration-report.ts"

export interface CalibrationLimits {
  /** The largest share of safe prompts that may be blocked, 0 to 1. */
  readonly maxFalseBlock?: number | undefined
  /** The largest share of unsafe prompts that may be missed, 0 to 1. */
  readonly maxMiss?: number | undefined
}

/** Checks each judge against each limit. Gates compare the interval with the limit, not the rate. */
export function checkGates(judges: readonly JudgeReport[], limits: CalibrationLimits): readonly CalibrationGate[] {
  return judges.flatMap((judge) => [
    ...(limits.maxFalseBlock === undefined ? [] : [checkGate("false_block", judge, limits.maxFalseBlock)]),
    ...(limits.maxMiss === undefined ? [] : [checkGate("miss", judge, limits.maxMiss)]),
  ])
}

/** Compares the interval of a rate with its limit. A rate of nothing is INCONCLUSIVE. */
export function gateVerdict(rate: Rate, limit: number): GateVerdict {
  return gateOf(rate.n === 0 ? null : rate, { atMost: limit })
}

function checkGate(gate: CalibrationGate["gate"], judge: JudgeReport, limit: number): CalibrationGate {
  const read = (basis: CalibrationGate["basis"]): CalibrationGate => {
    const rate = basis === "verdicts" ? judge[gate] : judge.under_policy[gate]
    const { low, high } = rate
    return { gate, judge: judge.name, limit, low, high, basis, verdict: gateVerdict(rate, limit) }
  }
  const verdicts = read("verdicts")
  const underPolicy = read("under_policy")
  const worst = worstVerdict([verdicts.verdict, underPolicy.verdict])
  return verdicts.verdict === worst ? verdicts : underPolicy
}
