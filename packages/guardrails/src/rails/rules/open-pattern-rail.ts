import type { EffectiveData } from "../../configuration/effective-data.ts"
import type { RuleFlow } from "../../configuration/parse-flow.ts"
import type { Rail } from "../rail.ts"
import { openPatterns } from "./patterns.ts"
import { runRule, type CheckJson } from "./rule.ts"

/** Opens a rail that searches a message, or an answer with its calls, for the patterns of its place. */
export function openPatternRail(
  { name, place }: RuleFlow,
  data: EffectiveData,
  { checkJson, now }: { readonly checkJson: CheckJson; readonly now: () => number },
): Rail {
  const find = openPatterns(data, { place, tool: null }, checkJson)
  return {
    name,
    run: (input) => runRule(name, () => find([place === "input" ? input.user_input : input.bot_response]), now),
  }
}
