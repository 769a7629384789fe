import type { GuardrailEnsemble } from "@assay/schemas"
import { parseFlow, type JudgeFlow } from "./parse-flow.ts"

/** What an ensemble asks, directly and through other ensembles. */
export interface EnsembleReach {
  readonly judges: readonly JudgeFlow[]
  /** Names of ensembles; its own among them where it contains itself. */
  readonly ensembles: ReadonlySet<string>
}

/** Everything that the ensemble `name` leads to; ends where ensembles contain each other. */
export function reachEnsemble(ensembles: readonly GuardrailEnsemble[], name: string): EnsembleReach {
  const judges: JudgeFlow[] = []
  const reached = new Set<string>()
  const queue = [name]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const flow of (ensembles.find((each) => each.name === next)?.flows ?? []).map(parseFlow)) {
      if (flow?.type === "judge") judges.push(flow)
      if (flow?.type !== "ensemble" || reached.has(flow.ensemble)) continue
      reached.add(flow.ensemble)
      queue.push(flow.ensemble)
    }
  }
  return { judges, ensembles: reached }
}
