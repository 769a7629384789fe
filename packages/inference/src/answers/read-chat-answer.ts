import { fieldsOf } from "@assay/json"
import { finishReasonOf } from "@assay/schemas"
import type { ChatAnswer, TokenLogprob } from "../inference-client.ts"
import { isLogprob } from "./is-logprob.ts"
import { readContent } from "./read-content.ts"
import { readTokenUsage } from "./read-token-usage.ts"

type Fields = Readonly<Record<string, unknown>>

/** Reads a chat completion leniently: a field that is missing or of another type is null. */
export function readChatAnswer(body: Fields, took: Pick<ChatAnswer, "latencyMs" | "attempts">): ChatAnswer {
  const choice = fieldsOf((body["choices"] as readonly unknown[] | undefined)?.[0])
  const message = fieldsOf(choice["message"])
  const content = readContent(message["content"])
  return {
    text: content.text ?? text(choice["text"]),
    reasoning: text(message["reasoning_content"]) ?? text(message["reasoning"]) ?? content.reasoning,
    refusal: text(message["refusal"]) ?? content.refusal,
    finishReason: finishReasonOf(choice["finish_reason"]),
    toolCalls: Array.isArray(message["tool_calls"]) ? message["tool_calls"] : [],
    logprobs: logprobsOf(fieldsOf(choice["logprobs"])["content"]),
    // A completion can repeat its prompt, so only the text of a message shows that some was generated.
    usage: readTokenUsage(body["usage"], { hasText: (content.text ?? "") !== "" }),
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
