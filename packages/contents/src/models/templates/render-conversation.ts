import { parseTemplate, runProgram, templateEngine, type TemplateFault } from "@assay/templates"
import { CHAT_WHITESPACE, withinLimit } from "./chat-limits.ts"
import { templateGlobals, type SampleConversation } from "./sample-conversations.ts"
import type { TemplateTask } from "./template-report.ts"

/** A rendered conversation, or the fault of the template. */
export interface RenderedConversation {
  readonly text: string | null
  readonly fault: TemplateFault | null
}

/** Renders a conversation of a user. Time and memory are not limited here. */
export function renderConversation(
  { template, tokens }: TemplateTask,
  conversation: SampleConversation,
): RenderedConversation {
  const parsed = parseTemplate(template, CHAT_WHITESPACE)
  if (parsed.fault !== null) return { text: null, fault: parsed.fault }
  const scope = templateEngine.createScope()
  for (const [name, value] of Object.entries({ ...templateGlobals(), ...tokens, ...conversation })) {
    scope.set(name, value)
  }
  const { value, fault } = runProgram(parsed.template, { scope, inspect: withinLimit })
  if (fault !== null) return { text: null, fault }
  return { text: typeof value?.value === "string" ? value.value : "", fault: null }
}
