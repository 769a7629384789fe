import { invalidRequest, type ChatMessage } from "@assay/schemas"
import { contentText } from "./content-text.ts"
import type { RailInput } from "./rail.ts"

/**
 * What input rails look at: the last message of the user.
 * @throws `invalid_request` where the user says nothing
 */
export function inputOf(messages: readonly ChatMessage[]): RailInput {
  const texts = messages.map(withText)
  const last = texts.findLast(({ role }) => role === "user")
  if (last === undefined) {
    const msg = "has no message of role 'user', which is what input rails look at; add one"
    throw invalidRequest(["body", "messages"], msg, "missing_user_message")
  }
  return { user_input: last.content, bot_response: "", messages: texts }
}

/** What output rails look at: the assistant's message at the end, and the last message of the user before it, if there is one. */
export function outputOf(messages: readonly ChatMessage[], response: ChatMessage): RailInput {
  const texts = messages.map(withText)
  const answer = withText(response)
  const question = texts.findLast(({ role }) => role === "user")
  return { user_input: question?.content ?? "", bot_response: answer.content, messages: [...texts, answer] }
}

function withText(message: ChatMessage): ChatMessage & { readonly content: string } {
  return { ...message, content: contentText(message.content) }
}
