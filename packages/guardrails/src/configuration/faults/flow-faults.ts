import type { ValidationIssue } from "@assay/schemas"
import type { RailDirection } from "../../verdict-reading.ts"
import type { EffectiveData } from "../effective-data.ts"
import { taskOf } from "../find-prompt.ts"
import { CHECK_KINDS, type JudgeFlow, parseFlow, reachEnsemble, type RuleFlow } from "../parse-flow.ts"
import { modelTypeOf, planJudge } from "../plan-judge.ts"
import { configurationFault, duplicateFaults } from "./configuration-fault.ts"
import { toolFlowFaults } from "./rule-faults.ts"
import { vendorFlowNeed } from "./vendor-flows.ts"

type Loc = readonly (string | number)[]

/** Lists the faults of the flows of the rails, and of the keys of the policies. */
export function flowFaults(data: EffectiveData): readonly ValidationIssue[] {
  const directions = ["input", "output"] as const
  return [
    ...directions.flatMap((direction) =>
      listFaults(data, data.rails[direction]?.flows ?? [], ["rails", direction, "flows"], direction),
    ),
    ...toolFlowFaults(data),
    ...policyFaults(data),
  ]
}

/** Lists the faults of the flows at `loc`. With `direction`, all must be of that direction. */
function listFaults(
  data: EffectiveData,
  flows: readonly string[],
  loc: Loc,
  direction: RailDirection | null,
): readonly ValidationIssue[] {
  return [
    ...duplicateFaults(flows, (index) => [...loc, index], "the flow"),
    ...flows.flatMap((name, index) => flowFault(data, name, [...loc, index], direction)),
  ]
}

function flowFault(
  data: EffectiveData,
  name: string,
  loc: Loc,
  direction: RailDirection | null,
): readonly ValidationIssue[] {
  const flow = parseFlow(name)
  if (flow === null) {
    const known = CHECK_KINDS.map((kind) => `'${kind} input|output'`).join(", ")
    const need = vendorFlowNeed(name)
    const why = need === null ? `'${name}' is not a flow` : `'${name}' is not supported: it ${need}; remove it`
    const msg = `${why}; there are ${known}, each optionally followed by '$model=TYPE', 'regex check input|output' and 'ensemble NAME'`
    return [configurationFault(loc, msg, "unknown_flow", name)]
  }
  if (flow.type === "judge") {
    if (direction !== null && flow.direction !== direction)
      return [directionFault(loc, name, flow.direction, direction)]
    return judgeFaults(data, flow, loc)
  }
  if (flow.type === "rule") return ruleFaults(flow, loc, direction)
  const ensembles = data.ensembles ?? []
  if (!ensembles.some((each) => each.name === flow.ensemble)) {
    const names = ensembles.map((each) => `'${each.name}'`).join(", ") || "none"
    const msg = `there is no ensemble '${flow.ensemble}'; there are: ${names}`
    return [configurationFault(loc, msg, "unknown_ensemble", name)]
  }
  const other = reachEnsemble(ensembles, flow.ensemble).judges.find((member) => member.direction !== direction)
  if (direction === null || other === undefined) return []
  return [directionFault(loc, `${name}, through '${other.name}'`, other.direction, direction)]
}

function ruleFaults({ name, place }: RuleFlow, loc: Loc, direction: RailDirection | null): readonly ValidationIssue[] {
  if (place === direction) return []
  const msg =
    direction === null
      ? `'${name}' is a rule, and ensembles ask judges; name it in rails.input or rails.output`
      : `'${name}' is a rule for ${place}; these flows judge the ${direction}`
  return [configurationFault(loc, msg, "wrong_place", name)]
}

function directionFault(loc: Loc, name: string, actual: RailDirection, wanted: RailDirection): ValidationIssue {
  return configurationFault(loc, `'${name}' judges the ${actual}; these flows judge the ${wanted}`, "wrong_place")
}

function judgeFaults(data: EffectiveData, flow: JudgeFlow, loc: Loc): readonly ValidationIssue[] {
  const type = modelTypeOf(flow, data)
  if (!data.models.some((model) => model.type === type)) {
    const types = data.models.map((model) => model.type).join(", ")
    const advice = flow.model === null ? "add one, or name another with '$model=TYPE'" : "add it, or name another"
    const msg = `'${flow.name}' asks a model of type '${type}', and the configuration has only: ${types}; ${advice}`
    return [configurationFault(loc, msg, "unknown_model", flow.name)]
  }
  const plan = planJudge(flow, data)
  if (plan.prompt !== null) return []
  const msg = `there is no built-in prompt for judges of family '${plan.form}'; add one for task '${taskOf(flow)}'`
  return [configurationFault(loc, msg, "missing_prompt", flow.name)]
}

function policyFaults({ rails, ensembles = [], policies = {} }: EffectiveData): readonly ValidationIssue[] {
  const flows = new Set([
    ...(rails.input?.flows ?? []),
    ...(rails.output?.flows ?? []),
    ...ensembles.flatMap((ensemble) => ensemble.flows),
  ])
  return Object.entries(policies).flatMap(([key, { threshold }]) => {
    if (!flows.has(key)) {
      const msg = `'${key}' is not a flow of this configuration; write it exactly as in its flows, including '$model='`
      return [configurationFault(["policies", key], msg, "unknown_flow")]
    }
    const type = parseFlow(key)?.type
    if (type === "rule") {
      const msg = `'${key}' is a rule, which always decides, so a policy has no effect; remove it`
      return [configurationFault(["policies", key], msg, "rule_policy")]
    }
    if (threshold === undefined || type !== "ensemble") return []
    const msg = `'${key}' asks several judges and has no score of its own; give the thresholds to its flows`
    return [configurationFault(["policies", key, "threshold"], msg, "ensemble_threshold", threshold)]
  })
}

/** Lists the faults of the ensembles of a configuration. */
export function ensembleFaults(data: EffectiveData): readonly ValidationIssue[] {
  const ensembles = data.ensembles ?? []
  const names = ensembles.map(({ name }) => name)
  return [
    ...duplicateFaults(names, (index) => ["ensembles", index, "name"], "an ensemble"),
    ...ensembles.flatMap(({ flows }, index) => listFaults(data, flows, ["ensembles", index, "flows"], null)),
    ...names.flatMap((name, index) => reachFaults(data, name, ["ensembles", index, "flows"])),
  ]
}

function reachFaults(
  { ensembles = [] }: EffectiveData,
  name: string,
  loc: readonly (string | number)[],
): readonly ValidationIssue[] {
  const reach = reachEnsemble(ensembles, name)
  if (reach.ensembles.has(name)) {
    return [configurationFault(loc, `'${name}' contains itself, directly or through another ensemble`, "cycle")]
  }
  if (new Set(reach.judges.map(({ direction }) => direction)).size < 2) return []
  const msg = `'${name}' mixes flows that judge the input with flows that judge the output; split it`
  return [configurationFault(loc, msg, "wrong_place")]
}
