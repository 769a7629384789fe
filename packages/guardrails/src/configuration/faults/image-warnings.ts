import type { ValidationIssue } from "@assay/schemas"
import type { EffectiveData } from "../effective-data.ts"
import { judgeFlows, planJudge } from "../plan-judge.ts"
import { shownParts } from "../shown-parts.ts"
import { configurationFault } from "./configuration-fault.ts"
import { isPolicy } from "./prompt-faults.ts"

/**
 * Returns a warning for each flow whose judge gets texts only, if its policy lets messages with images pass, or if the type of its
 * model says that it sees images.
 */
export function imageWarnings(data: EffectiveData): readonly ValidationIssue[] {
  return judgeFlows(data).flatMap((flow) => {
    const { prompt, isConfigured, modelType } = planJudge(flow, data)
    const shown = isConfigured && prompt !== null && !isPolicy(flow, prompt) ? shownParts(prompt) : new Set()
    const judged = flow.direction === "input" ? "user_input" : "bot_response"
    const isPassing = data.policies?.[flow.name]?.on_unreadable === "allow"
    if (shown.has(judged) || (!isPassing && !/vision|image|multimodal/i.test(modelType))) return []
    const outcome = isPassing ? "passes unjudged" : "is unreadable"
    const msg = `a message with an image ${outcome}, because the prompt of '${flow.name}' puts the message into a text; give a prompt with a message that is only {{ ${judged} }}`
    return [configurationFault(isPassing ? ["policies", flow.name] : ["models"], msg, "not_shown")]
  })
}
