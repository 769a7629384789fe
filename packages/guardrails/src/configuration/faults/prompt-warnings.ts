import type { GuardrailPrompt, ValidationIssue } from "@assay/schemas"
import { compileTemplate } from "@assay/templates"
import type { EffectiveData } from "../effective-data.ts"
import { findPrompt } from "../find-prompt.ts"
import { judgeFlows } from "../judge-types.ts"
import type { JudgeFlow } from "../parse-flow.ts"
import { modelTypeOf } from "../plan-judge.ts"
import { configurationFault } from "./configuration-fault.ts"

/** A warning for each prompt that asks a judge without showing what it judges. The templates have been checked. */
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

/** The names that a prompt reads. */
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
 * Whether a prompt is the policy alone, as topic control models are asked: it stands in front of the conversation, which follows it
 * as messages.
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
  const msg = `the prompt of '${flow.name}' does not show ${what} to the judge; write {{ ${judgedName(flow)} }} where it belongs`
  return configurationFault(["prompts", index], msg, "unshown_message")
}
