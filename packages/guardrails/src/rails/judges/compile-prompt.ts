import type { ChatMessage, GuardrailPrompt } from "@assay/schemas"
import { compileTemplate, createStepBudget, type TemplateValues } from "@assay/templates"
import { contentText } from "../content-text.ts"
import type { RailInput } from "../rail.ts"

type Prompt = Pick<GuardrailPrompt, "content" | "messages">
type Render = (input: RailInput) => readonly ChatMessage[]

/**
 * Parses a prompt once; what it gives makes the messages for a judge. The role `bot` of configurations is `assistant`.
 * @param values what prompts read of their configuration
 */
export function compilePrompt({ content, messages = [] }: Prompt, values: TemplateValues = {}): Render {
  const parts = content === undefined ? messages : [{ type: "user", content }]
  const compiled = parts.map((part) => {
    if (typeof part === "string") throw new RangeError("A prompt with texts as messages is no prompt that was checked.")
    return { role: part.type === "bot" ? "assistant" : part.type, template: compileTemplate(part.content) }
  })
  return (input) => {
    const all = { ...values, ...input }
    // All messages are rendered without a pause, so they share what one may cost.
    const steps = createStepBudget()
    return compiled.map(({ role, template }) => ({ role, content: template.render(all, steps) }))
  }
}

const ANSWER_FORM =
  'Judge the last message of the conversation by these guidelines. Answer with one word: "off-topic" if it breaks one of them, "on-topic" if not.'

/**
 * Parses a prompt that is the policy alone: it becomes the system message, with the form of the answer, and the conversation up to
 * what is judged follows it as it was.
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
