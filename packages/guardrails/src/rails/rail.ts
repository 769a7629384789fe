import { invalidRequest, type ActivatedRail, type AssayError, type ChatMessage, type Safety } from "@assay/schemas"
import type { JudgeAnswer, JudgeOptions } from "../judge.ts"
import { contentText } from "./content-text.ts"

/** What rails look at; its keys are the names that prompts may read. */
export interface RailInput {
  readonly user_input: string
  readonly bot_response: string
  /** Contents are text: parts are joined. */
  readonly messages: readonly ChatMessage[]
}

/** What a rail found, before a policy turned it into a status. */
export type RailFinding = Safety | "unreadable" | "error"

export interface RailOutcome {
  readonly rail: ActivatedRail
  readonly finding: RailFinding
  /** How asking failed, where the policy is to pass that on. */
  readonly failure: AssayError | null
  readonly answers: readonly JudgeAnswer[]
}

/** A judge, or several, with a place and a policy. */
export interface Rail {
  /** The flow as the configuration writes it. */
  readonly name: string
  /** Whether it judges calls of tools, and so an answer without a text too. */
  readonly readsToolCalls: boolean
  /** Throws the reason of an aborted `signal` alone; what else fails is in the outcome. */
  run(input: RailInput, options: JudgeOptions): Promise<RailOutcome>
}

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
