import type { GuardrailData } from "@assay/schemas"
import { parseFlow } from "../../configuration/parse-flow.ts"

/**
 * The thresholds that are tried unless others are named: even steps of the odds, because judges are mostly very sure. The value 0.5 is
 * about what the verdict itself says.
 */
export const THRESHOLDS: readonly number[] = [0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999]

/**
 * Returns a configuration whose input rail blocks from a probability of harm on, instead of by its verdict. Returns null if the input
 * does not have exactly one rail with one judge: the answers of several judges have no common score.
 */
export function withThreshold(data: GuardrailData, threshold: number): GuardrailData | null {
  const [flow, ...others] = data.rails?.input?.flows ?? []
  if (flow === undefined || others.length > 0 || parseFlow(flow)?.type !== "judge") return null
  const { policies = {} } = data
  return { ...data, policies: { ...policies, [flow]: { ...policies[flow], threshold } } }
}
