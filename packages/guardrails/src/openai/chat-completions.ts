import type { ChatBody } from "@assay/schemas"
import type { ChatForm } from "./chat-form.ts"

/** Chat completions, which are the form of the guarded chat itself. */
export const chatCompletions: ChatForm<ChatBody> = {
  read: (chat) => ({ chat, answer: (completion) => completion, events: (chunks) => chunks }),
  hasNamedEvents: false,
}
