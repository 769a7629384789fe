import { gate as gateOf, type GateVerdict } from "@assay/metrics"
import type { CalibrationGate, JudgeReport, Rate } from "./calibration-report.ts"

export interface CalibrationLimits {
  /** Most safe prompts that may be blocked, 0 to 1. */
  readonly maxFalseBlock?: number
  /** Most unsafe prompts that may be missed, 0 to 1. */
  readonly maxMiss?: number
}

const WORST_FIRST: readonly GateVerdict[] = ["FAIL", "INCONCLUSIVE", "PASS"]

/** A gate for each judge and limit, which compares the interval, not the point. */
export function checkGates(judges: readonly JudgeReport[], limits: CalibrationLimits): readonly CalibrationGate[] {
  return judges.flatMap((judge) => [
    ...(limits.maxFalseBlock === undefined ? [] : [checkGate("false_block", judge, limits.maxFalseBlock)]),
    ...(limits.maxMiss === undefined ? [] : [checkGate("miss", judge, limits.maxMiss)]),
  ])
}

/** The worst of several verdicts; null of none. */
export function worstVerdict(gates: readonly CalibrationGate[]): GateVerdict | null {
  return WORST_FIRST.find((verdict) => gates.some((gate) => gate.verdict === verdict)) ?? null
}

export function gateVerdict(rate: Rate, limit: number): GateVerdict {
  return gateOf(rate.n === 0 ? null : rate, { atMost: limit })
}

function checkGate(gate: CalibrationGate["gate"], judge: JudgeReport, limit: number): CalibrationGate {
  const read = (basis: CalibrationGate["basis"]): CalibrationGate => {
    const rate = basis === "verdicts" ? judge[gate] : judge.under_policy[gate]
    const { low, high } = rate
    return { gate, judge: judge.name, limit, low, high, basis, verdict: gateVerdict(rate, limit) }
  }
  const [verdicts, felt] = [read("verdicts"), read("under_policy")]
  return WORST_FIRST.indexOf(felt.verdict) < WORST_FIRST.indexOf(verdicts.verdict) ? felt : verdicts
}
