import type { RailPlace, ValidationIssue } from "@assay/schemas"
import type { EffectiveData } from "../effective-data.ts"
import { parseFlow, ruleNames } from "../parse-flow.ts"
import { configurationFault, duplicateFaults } from "./configuration-fault.ts"
import { vendorFlowNeed } from "./vendor-flows.ts"

type Loc = readonly (string | number)[]

const TOOL_PLACES = ["tool_input", "tool_output"] as const

/** Lists the faults of the flows over tools: for all tools, and for single ones. */
export function toolFlowFaults({ rails }: EffectiveData): readonly ValidationIssue[] {
  return TOOL_PLACES.flatMap((place) => {
    const { flows, per_tool: perTool } = rails[place] ?? {}
    return [
      ...listFaults(flows ?? [], ["rails", place, "flows"], { place, isPerTool: false }),
      ...Object.entries(perTool ?? {}).flatMap(([tool, own]) =>
        listFaults(own, ["rails", place, "per_tool", tool], { place, isPerTool: true }),
      ),
    ]
  })
}

interface Wanted {
  readonly place: RailPlace
  readonly isPerTool: boolean
}

function listFaults(flows: readonly string[], loc: Loc, wanted: Wanted): readonly ValidationIssue[] {
  const names = ruleNames(wanted.place, wanted)
    .map((name) => `'${name}'`)
    .join(", ")
  return [
    ...duplicateFaults(flows, (index) => [...loc, index], "the flow"),
    ...flows.flatMap((name, index) => {
      const flow = parseFlow(name)
      if (flow?.type === "rule" && flow.place === wanted.place && flow.isPerTool === wanted.isPerTool) return []
      const need = vendorFlowNeed(name)
      const why = need === null ? `'${name}' is not a flow for this place` : `'${name}' is not supported: it ${need}`
      return [configurationFault([...loc, index], `${why}; there are ${names}`, "unknown_flow", name)]
    }),
  ]
}
