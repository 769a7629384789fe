import type { GuardrailData } from "@assay/schemas"
import { parseFlow } from "./parse-flow.ts"

/**
 * Returns a configuration whose input rail blocks from a probability of harm on, instead of by its verdict. Returns null if the input
 * does not have exactly one rail with one judge: the answers of several judges have no common score.
 */
export function withThreshold(data: GuardrailData, threshold: number): GuardrailData | null {
  const flow = onlyJudgeOf(data)
  if (flow === null) return null
  const { policies = {} } = data
  return { ...data, policies: { ...policies, [flow]: { ...policies[flow], threshold } } }
}

/** Returns the threshold of the only input rail, or null, and the configuration without it and without policies that say nothing. */
export function withoutThreshold(data: GuardrailData): {
  readonly data: GuardrailData
  readonly threshold: number | null
} {
  const flow = onlyJudgeOf(data)
  const { policies, ...others } = data
  if (policies === undefined) return { data, threshold: null }
  const threshold = flow === null ? undefined : policies[flow]?.threshold
  const kept = Object.entries(policies).flatMap(([name, policy]) => {
    const { threshold: _own, ...rest } = policy
    const said = name === flow ? rest : policy
    return Object.keys(said).length === 0 ? [] : [[name, said] as const]
  })
  return {
    data: kept.length === 0 ? others : { ...others, policies: Object.fromEntries(kept) },
    threshold: threshold ?? null,
  }
}

/** Returns the flow of the only input rail if it asks one judge, else null. */
function onlyJudgeOf({ rails }: GuardrailData): string | null {
  const [flow, ...others] = rails?.input?.flows ?? []
  return flow === undefined || others.length > 0 || parseFlow(flow)?.type !== "judge" ? null : flow
}
