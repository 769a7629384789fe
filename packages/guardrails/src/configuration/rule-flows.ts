import type { RailPlace } from "@assay/schemas"
import type { EffectiveData } from "./effective-data.ts"
import { parseFlow, type RuleFlow } from "./parse-flow.ts"

/** A rule of a configuration, and where its flow stands. */
export interface PlacedRule {
  readonly flow: RuleFlow
  readonly loc: readonly (string | number)[]
  /** The tool that it is for. Null: all, or no tool. */
  readonly tool: string | null
}

const PLACES: readonly RailPlace[] = ["input", "output", "tool_input", "tool_output"]

/** Returns every flow of a configuration that is a rule, in its order. */
export function ruleFlows({ rails }: Pick<EffectiveData, "rails">): readonly PlacedRule[] {
  return PLACES.flatMap((place) => {
    const own = place === "tool_input" || place === "tool_output" ? (rails[place]?.per_tool ?? {}) : {}
    return [
      ...placed(rails[place]?.flows ?? [], ["rails", place, "flows"], null),
      ...Object.entries(own).flatMap(([tool, flows]) => placed(flows, ["rails", place, "per_tool", tool], tool)),
    ]
  })
}

function placed(flows: readonly string[], loc: PlacedRule["loc"], tool: string | null): readonly PlacedRule[] {
  return flows.flatMap((name, index) => {
    const flow = parseFlow(name)
    return flow?.type === "rule" ? [{ flow, loc: [...loc, index], tool }] : []
  })
}
