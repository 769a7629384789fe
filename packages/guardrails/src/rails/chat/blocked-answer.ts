import type { GuardrailContext } from "../../guardrail.ts"

export interface BlockedAnswerOptions {
  readonly refusal: string
  /** The name of the model that the chat asks. */
  readonly model: string
  /** The model's answer, or its last chunk, whose id, time and usage are kept. Null: the model was not asked. */
  readonly answered: Readonly<Record<string, unknown>> | null
  readonly context: Pick<GuardrailContext, "now" | "newId">
}

/** Marks answers that rails have replaced, invisibly. Filters of endpoints end answers with the same `finish_reason`. */
const BLOCKED: unique symbol = Symbol("blocked")

const asBlocked = <Answer extends object>(answer: Answer): Answer =>
  Object.defineProperty(answer, BLOCKED, { value: true })

/** Returns whether rails have replaced a completion or a chunk by the refusal. */
export function isBlockedAnswer(answer: object): boolean {
  return BLOCKED in answer
}

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** Creates a chat completion with the refusal instead of the blocked text. */
export function blockedBody(options: BlockedAnswerOptions): Readonly<Record<string, unknown>> {
  const message = { role: "assistant", content: options.refusal }
  return asBlocked({
    ...frameOf(options, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: "content_filter" }],
    usage: options.answered?.["usage"] ?? NO_USAGE,
  })
}

/** Creates the last chunk of a blocked stream. */
export function blockedChunk(options: BlockedAnswerOptions): Readonly<Record<string, unknown>> {
  const role = options.answered === null ? { role: "assistant" } : {}
  const delta = { ...role, content: options.refusal }
  return asBlocked({
    ...frameOf(options, "chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason: "content_filter" }],
  })
}

/** Creates the chunk after it, with the tokens that the endpoint has reported so far, else 0. */
export function blockedUsageChunk(options: BlockedAnswerOptions, usage: unknown): Readonly<Record<string, unknown>> {
  return { ...frameOf(options, "chat.completion.chunk"), choices: [], usage: usage ?? NO_USAGE }
}

function frameOf({ model, answered, context }: BlockedAnswerOptions, object: string) {
  return {
    id: answered?.["id"] ?? `chatcmpl-${context.newId()}`,
    object,
    created: answered?.["created"] ?? Math.floor(context.now() / 1000),
    model,
  }
}
