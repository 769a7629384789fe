import { contentText } from "./content-text.ts"
import { fieldsOf } from "./fields-of.ts"
import { listOf } from "./list-of.ts"

/** What is read of a chat answer that a row holds, or of a message. */
export interface AnswerParts {
  readonly text: string | null
  readonly finishReason: string | null
  /** As they came; empty where there are none. */
  readonly toolCalls: readonly unknown[]
}

/** Reads a whole chat completion, or a message alone, leniently. */
export function answerParts(answer: unknown): AnswerParts {
  const choice = fieldsOf(listOf(fieldsOf(answer)["choices"])[0])
  const message = fieldsOf(choice["message"] ?? answer)
  const { text, finish_reason: reason } = choice
  return {
    text: contentText(message["content"]) ?? (typeof text === "string" ? text : null),
    finishReason: typeof reason === "string" ? reason : null,
    toolCalls: listOf(message["tool_calls"]),
  }
}
