import type { ChatMessage, GuardrailPrompt } from "@assay/schemas"
import { compileTemplate, createStepBudget } from "@assay/templates"
import type { RailInput } from "./rail.ts"

/** Parses a prompt once; what it gives makes the messages for a judge. The role `bot` of configurations is `assistant`. */
export function compilePrompt({
  content,
  messages = [],
}: Pick<GuardrailPrompt, "content" | "messages">): (input: RailInput) => readonly ChatMessage[] {
  const parts = content === undefined ? messages : [{ type: "user", content }]
  const compiled = parts.map(({ type, content }) => ({
    role: type === "bot" ? "assistant" : type,
    template: compileTemplate(content),
  }))
  return (input) => {
    const values = { ...input }
    // All messages are rendered without a pause, so they share what one may cost.
    const steps = createStepBudget()
    return compiled.map(({ role, template }) => ({ role, content: template.render(values, steps) }))
  }
}
