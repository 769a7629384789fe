import type { ChatMessage, GuardrailPrompt } from "@assay/schemas"
import { compileTemplate, createStepBudget, type TemplateValues } from "@assay/templates"
import { onlyText } from "../../configuration/shown-parts.ts"
import { type RailInput, contentText } from "../rail.ts"

type Prompt = Pick<GuardrailPrompt, "content" | "messages">
type Render = (input: RailInput) => readonly ChatMessage[]

/**
 * Parses a prompt once. Returns a function that renders the messages for a judge. The role `bot` of configurations becomes
 * `assistant`.
 * @param values the values of the configuration that prompts can read
 */
export function compilePrompt({ content, messages = [] }: Prompt, values: TemplateValues = {}): Render {
  const parts = content === undefined ? messages : [{ type: "user", content }]
  const compiled = parts.map((part) => {
    if (typeof part === "string") throw new RangeError("A checked prompt has no texts as messages.")
    const role = part.type === "bot" ? "assistant" : part.type
    return { role, template: compileTemplate(part.content), only: onlyText(part.content) }
  })
  return (input) => {
    const all = { ...values, ...input }
    // All messages are rendered at once, so they share one budget of steps.
    const steps = createStepBudget()
    return compiled.map(({ role, template, only }) => {
      const parts = only === undefined ? undefined : input.parts?.[only]
      return { role, content: parts ?? template.render(all, steps) }
    })
  }
}

const ANSWER_FORM =
  'Judge the last message of the conversation by these guidelines. Answer with one word: "off-topic" if it breaks one of them, "on-topic" if not.'

/**
 * Parses a prompt that is only the policy. It becomes the system message, together with the form of the answer. The conversation
 * follows unchanged, up to the message to judge.
 */
export function compilePolicy({ content = "" }: Prompt, values: TemplateValues): Render {
  const policy = compileTemplate(content)
  return ({ messages, bot_response }) => {
    const spoken = messages.filter(({ role }) => role === "user" || role === "assistant")
    const end = bot_response === "" ? spoken.findLastIndex(({ role }) => role === "user") + 1 : spoken.length
    const system = { role: "system", content: `${policy.render(values).trim()}\n\n${ANSWER_FORM}` }
    return [
      system,
      ...spoken.slice(0, end).map((message) => ({ role: message.role, content: contentText(message.content) })),
    ]
  }
}
