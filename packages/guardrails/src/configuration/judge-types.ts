import type { EffectiveData } from "./effective-data.ts"
import { parseFlow, type JudgeFlow } from "./parse-flow.ts"
import { modelTypeOf } from "./plan-judge.ts"

/** Returns every flow that asks a judge, of the rails and the ensembles of a configuration. */
export function judgeFlows({ rails, ensembles = [] }: EffectiveData): readonly JudgeFlow[] {
  const names = [
    ...(rails.input?.flows ?? []),
    ...(rails.output?.flows ?? []),
    ...ensembles.flatMap(({ flows }) => flows),
  ]
  return names.map(parseFlow).filter((flow) => flow?.type === "judge")
}

/** Returns the types of the models that are judges in a configuration. */
export function judgeTypes(data: EffectiveData): ReadonlySet<string> {
  return new Set(judgeFlows(data).map((flow) => modelTypeOf(flow, data)))
}
