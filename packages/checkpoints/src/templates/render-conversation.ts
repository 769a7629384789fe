import { type ChatTemplateResult, parseChatTemplate, renderChatTemplate } from "@assay/templates"
import { SAMPLE_DATE, type SampleConversation } from "./sample-conversations.ts"
import type { TemplateTask } from "./template-report.ts"

/** A rendered conversation, or the fault of the template. */
export type RenderedConversation = ChatTemplateResult

/** Renders a conversation of a user. Time and memory are not limited here. */
export function renderConversation(
  { template, tokens }: TemplateTask,
  conversation: SampleConversation,
): RenderedConversation {
  const parsed = parseChatTemplate(template)
  if (parsed.fault !== null) return { text: null, fault: parsed.fault }
  return renderChatTemplate(parsed.template, { ...tokens, ...conversation }, SAMPLE_DATE)
}
