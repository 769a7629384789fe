import { fieldsOf } from "@assay/json"
import { finishReasonOf } from "@assay/schemas"
import type { ChatAnswer, TokenLogprob } from "../inference-client.ts"
import { isLogprob } from "./is-logprob.ts"
import { readContent } from "./read-content.ts"
import { readTokenUsage } from "./read-token-usage.ts"
import { toolCallsOf } from "./tool-calls-of.ts"

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a chat completion leniently: a field that is missing or of another type is null.
 * @param repeatsPrompt whether the completion of a text begins with its prompt. Default false
 */
export function readChatAnswer(
  body: Fields,
  took: Pick<ChatAnswer, "latencyMs" | "attempts">,
  { repeatsPrompt = false } = {},
): ChatAnswer {
  const choice = fieldsOf((body["choices"] as readonly unknown[] | undefined)?.[0])
  const message = fieldsOf(choice["message"])
  const content = readContent(message["content"])
  const reasoning = text(message["reasoning_content"]) ?? text(message["reasoning"]) ?? content.reasoning
  const toolCalls = toolCallsOf(message)
  const completed = text(choice["text"])
  // A text that begins with its prompt does not show that any was generated.
  const written = [content.text, reasoning, repeatsPrompt ? null : completed]
  const hasOutput = toolCalls.length > 0 || written.some((one) => (one ?? "") !== "")
  return {
    text: content.text ?? completed,
    reasoning,
    refusal: text(message["refusal"]) ?? content.refusal,
    finishReason: finishReasonOf(choice["finish_reason"]),
    toolCalls,
    logprobs: logprobsOf(fieldsOf(choice["logprobs"])["content"]),
    usage: readTokenUsage(body["usage"], { hasOutput }),
    ...took,
    body,
  }
}

/** Returns null if there are none, or if one can't be right: then the others mean nothing. */
function logprobsOf(content: unknown): readonly TokenLogprob[] | null {
  if (!Array.isArray(content)) return null
  const logprobs = content.flatMap((one) => {
    const { top_logprobs: top } = fieldsOf(one)
    const own = logprobOf(one)
    return own === null
      ? []
      : [{ ...own, top: (Array.isArray(top) ? top : []).flatMap((each) => logprobOf(each) ?? []) }]
  })
  return logprobs.every((one) => [one, ...one.top].every(({ logprob }) => isLogprob(logprob))) ? logprobs : null
}

function logprobOf(value: unknown): { token: string; logprob: number } | null {
  const { token, logprob } = fieldsOf(value)
  return typeof token === "string" && typeof logprob === "number" ? { token, logprob } : null
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null
}
