import type { FakeChatBody, FakeChatReply } from "./fake-model.ts"
import type { InferenceAnswer } from "./inference-request.ts"
import { countWords, splitWords } from "./split-words.ts"

const CREATED = 1_700_000_000

/** Returns a model's reply as a chat completion, in one piece or streamed. */
export function completionAnswer(chat: FakeChatBody, reply: FakeChatReply, number: number): InferenceAnswer {
  const id = `chatcmpl-${number}`
  const usage = reply.usage ?? countedUsage(chat, reply)
  if (chat.stream === true) {
    const headers = { "content-type": "text/event-stream", "cache-control": "no-cache" }
    return { status: 200, headers, body: events(chat, reply, { id, usage }) }
  }
  const { content = null, reasoning, refusal, toolCalls, finish_reason = "stop", logprobs = null } = reply
  const message = {
    role: "assistant",
    content,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(refusal !== undefined && { refusal }),
    ...(toolCalls !== undefined && { tool_calls: toolCalls }),
  }
  const body = {
    id,
    object: "chat.completion",
    created: CREATED,
    model: chat.model,
    choices: [{ index: 0, message, logprobs, finish_reason, stop_reason: null }],
    usage,
    prompt_logprobs: null,
  }
  const headers = { "content-type": "application/json", "x-request-id": `req-${number}` }
  return { status: 200, headers, body: JSON.stringify(body) }
}

interface Envelope {
  readonly id: string
  readonly usage: Readonly<Record<string, number>>
}

function events(chat: FakeChatBody, reply: FakeChatReply, { id, usage }: Envelope): readonly string[] {
  const { content = null, reasoning, refusal, toolCalls, finish_reason = "stop" } = reply
  const base = { id, object: "chat.completion.chunk", created: CREATED, model: chat.model }
  const chunk = (delta: object, finish: string | null = null) =>
    event({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })
  const words = typeof content === "string" ? splitWords(content) : []
  return [
    chunk({ role: "assistant", content: "" }),
    ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })]),
    ...(refusal === undefined ? [] : [chunk({ refusal })]),
    ...words.map((word) => chunk({ content: word })),
    ...(toolCalls === undefined ? [] : [chunk({ tool_calls: toolCalls })]),
    chunk({}, finish_reason),
    ...(chat.stream_options?.include_usage === true ? [event({ ...base, choices: [], usage })] : []),
    "data: [DONE]\n\n",
  ]
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function countedUsage(chat: FakeChatBody, reply: FakeChatReply): Readonly<Record<string, number>> {
  const prompt = chat.messages.reduce((sum, { content }) => sum + countWords(content), 0)
  const called = (reply.toolCalls ?? []).map((call) => JSON.stringify(call)).join(" ")
  const completion = countWords(reply.content) + countWords(reply.reasoning) + countWords(called)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
