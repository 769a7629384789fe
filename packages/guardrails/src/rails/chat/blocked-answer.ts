import type { GuardrailContext } from "../../guardrail.ts"

export interface BlockedAnswerOptions {
  readonly refusal: string
  /** The name of the model that the chat asks. */
  readonly model: string
  /** The model's answer, or its last chunk, whose id, time and usage are kept. Null: the model was not asked. */
  readonly answered: Readonly<Record<string, unknown>> | null
  readonly context: Pick<GuardrailContext, "now" | "newId">
}

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** Creates a chat completion with the refusal instead of the blocked text. */
export function blockedBody(options: BlockedAnswerOptions): Readonly<Record<string, unknown>> {
  const message = { role: "assistant", content: options.refusal }
  return {
    ...frameOf(options, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: "content_filter" }],
    usage: options.answered?.["usage"] ?? NO_USAGE,
  }
}

/** Creates the last chunk of a blocked stream. */
export function blockedChunk(options: BlockedAnswerOptions): Readonly<Record<string, unknown>> {
  const role = options.answered === null ? { role: "assistant" } : {}
  const delta = { ...role, content: options.refusal }
  return {
    ...frameOf(options, "chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason: "content_filter" }],
  }
}

function frameOf({ model, answered, context }: BlockedAnswerOptions, object: string) {
  return {
    id: answered?.["id"] ?? `chatcmpl-${context.newId()}`,
    object,
    created: answered?.["created"] ?? Math.floor(context.now() / 1000),
    model,
  }
}
