import type { EffectiveData } from "./effective-data.ts"
import { parseFlow, type JudgeFlow } from "./parse-flow.ts"
import { modelTypeOf } from "./plan-judge.ts"

/** Every flow of a configuration that asks a judge, of its rails and of its ensembles. */
export function judgeFlows({ rails, ensembles = [] }: EffectiveData): readonly JudgeFlow[] {
  const names = [
    ...(rails.input?.flows ?? []),
    ...(rails.output?.flows ?? []),
    ...ensembles.flatMap(({ flows }) => flows),
  ]
  return names.map(parseFlow).filter((flow) => flow?.type === "judge")
}

/** The types of the models that judge in a configuration. */
export function judgeTypes(data: EffectiveData): ReadonlySet<string> {
  return new Set(judgeFlows(data).map((flow) => modelTypeOf(flow, data)))
}
