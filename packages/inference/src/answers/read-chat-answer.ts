import type { TokenUsage } from "@assay/schemas"
import type { ChatAnswer, TokenLogprob } from "../inference-client.ts"

type Fields = Readonly<Record<string, unknown>>

/** Returns the completion in the text of an answer, or undefined if it is not one. Its content type does not matter. */
export function completionBody(text: string): Readonly<Record<string, unknown>> | undefined {
  const body = parseAnswer(text)
  if (typeof body !== "object" || body === null) return undefined
  const { choices } = body as { choices?: unknown }
  return Array.isArray(choices) && choices.length > 0 ? (body as Record<string, unknown>) : undefined
}

/** Parses the text of an answer. Returns undefined if it is not JSON. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Reads a chat completion leniently: a field that is missing or of another type is null. */
export function readChatAnswer(body: Fields, took: Pick<ChatAnswer, "latencyMs" | "attempts">): ChatAnswer {
  const choice = fields((body["choices"] as readonly unknown[] | undefined)?.[0])
  const message = fields(choice["message"])
  return {
    text: textOf(message["content"]) ?? text(choice["text"]),
    reasoning: text(message["reasoning_content"]) ?? text(message["reasoning"]),
    refusal: text(message["refusal"]),
    finishReason: text(choice["finish_reason"]),
    toolCalls: Array.isArray(message["tool_calls"]) ? message["tool_calls"] : [],
    logprobs: logprobsOf(fields(choice["logprobs"])["content"]),
    usage: usageOf(body["usage"]),
    ...took,
    body,
  }
}

/** Returns the content, which is a text or a list of parts with texts. */
function textOf(content: unknown): string | null {
  if (!Array.isArray(content)) return text(content)
  const parts = content.map((part) => text(fields(part)["text"])).filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join("")
}

function logprobsOf(content: unknown): readonly TokenLogprob[] | null {
  if (!Array.isArray(content)) return null
  return content.flatMap((one) => {
    const { top_logprobs: top } = fields(one)
    const own = logprobOf(one)
    return own === null
      ? []
      : [{ ...own, top: (Array.isArray(top) ? top : []).flatMap((each) => logprobOf(each) ?? []) }]
  })
}

function logprobOf(value: unknown): { token: string; logprob: number } | null {
  const { token, logprob } = fields(value)
  return typeof token === "string" && typeof logprob === "number" ? { token, logprob } : null
}

function usageOf(value: unknown): TokenUsage | null {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = fields(value)
  if (typeof prompt !== "number" && typeof completion !== "number" && typeof total !== "number") return null
  const [asked, answered] = [count(prompt), count(completion)]
  return { prompt_tokens: asked, completion_tokens: answered, total_tokens: count(total, asked + answered) }
}

function count(value: unknown, otherwise = 0): number {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : otherwise
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {}
}
