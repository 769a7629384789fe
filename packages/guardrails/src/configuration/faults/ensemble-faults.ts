import type { ValidationIssue } from "@assay/schemas"
import type { EffectiveData } from "../effective-data.ts"
import { reachEnsemble } from "../parse-flow.ts"
import { configurationFault, duplicateFaults } from "./configuration-fault.ts"
import { listFaults } from "./flow-faults.ts"

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
  if (new Set(reach.judges.map(({ place }) => place)).size < 2) return []
  const msg = `'${name}' mixes flows that judge the input with flows that judge the output; split it`
  return [configurationFault(loc, msg, "wrong_place")]
}
