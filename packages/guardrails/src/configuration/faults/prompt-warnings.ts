import type { GuardrailPrompt, ValidationIssue } from "@assay/schemas"
import { compileTemplate } from "@assay/templates"
import type { EffectiveData } from "../effective-data.ts"
import { findPrompt } from "../find-prompt.ts"
import type { JudgeFlow } from "../parse-flow.ts"
import { judgeFlows, modelTypeOf } from "../plan-judge.ts"
import { configurationFault } from "./configuration-fault.ts"

/** Returns a warning for each prompt that does not show its judge the text to judge. The templates are valid. */
export function promptWarnings(data: EffectiveData): readonly ValidationIssue[] {
  const prompts = data.prompts ?? []
  const warned = new Map<number, ValidationIssue>()
  for (const flow of judgeFlows(data)) {
    const prompt = findPrompt(data, flow, modelTypeOf(flow, data))
    if (prompt === null || shows(prompt, flow)) continue
    const index = prompts.indexOf(prompt)
    warned.set(index, unshownWarning(flow, index))
  }
  return [...warned.values()]
}

/** Returns the names that a prompt reads. */
export function namesOf({
  content,
  messages = [],
}: Pick<GuardrailPrompt, "content" | "messages">): ReadonlySet<string> {
  const texts = content === undefined ? messages : [content]
  return new Set(
    texts.flatMap((text) =>
      compileTemplate(typeof text === "string" ? text : text.content).reads.flatMap(({ path }) => path.slice(0, 1)),
    ),
  )
}

/**
 * Returns whether a prompt is only the policy, as for topic control models: it precedes the conversation, which follows as
 * messages.
 */
export function isPolicy(
  { kind }: Pick<JudgeFlow, "kind">,
  prompt: Pick<GuardrailPrompt, "content" | "messages">,
): boolean {
  if (kind !== "topic safety check" || prompt.content === undefined) return false
  const names = namesOf(prompt)
  return !names.has("user_input") && !names.has("bot_response") && !names.has("messages")
}

function shows(prompt: GuardrailPrompt, flow: JudgeFlow): boolean {
  const names = namesOf(prompt)
  return isPolicy(flow, prompt) || names.has("messages") || names.has(judgedName(flow))
}

function judgedName({ place }: JudgeFlow): "user_input" | "bot_response" {
  return place === "input" ? "user_input" : "bot_response"
}

function unshownWarning(flow: JudgeFlow, index: number): ValidationIssue {
  const what = flow.place === "input" ? "the user's message" : "the answer"
  const msg = `the prompt of '${flow.name}' does not show ${what} to the judge; add {{ ${judgedName(flow)} }} to it`
  return configurationFault(["prompts", index], msg, "unshown_message")
}
