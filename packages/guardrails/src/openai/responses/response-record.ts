import { readTokenUsage } from "@assay/inference"
import { fieldsOf, listOf } from "@assay/json"
import { answerEnd, type AnswerEnd, finishReasonOf, type ResponsesBody } from "@assay/schemas"
import type { Fields } from "../chat-form.ts"

/** The fields that stay the same in all records of one response. */
export interface ResponseFrame {
  readonly id: string
  readonly createdAt: number
  readonly body: ResponsesBody
}

/** The state of a response. */
export interface ResponseState {
  readonly model: unknown
  readonly output: readonly Fields[]
  /** Null: it is still being written. */
  readonly end: ResponseEnd | null
}

export interface ResponseEnd {
  readonly finishReason: unknown
  /** Whether rails replaced the answer by the refusal, which is a complete answer. */
  readonly isBlocked: boolean
  readonly usage: unknown
}

/** Reasons why an answer is not complete, by the end that the `finish_reason` of the chat names. */
const INCOMPLETE: Readonly<Partial<Record<AnswerEnd, string>>> = {
  cut: "max_output_tokens",
  filtered: "content_filter",
}

/** Writes a response in OpenAI's form, with the settings of its request. */
export function responseRecord({ id, createdAt, body }: ResponseFrame, { model, output, end }: ResponseState): Fields {
  const reason = end === null || end.isBlocked ? undefined : INCOMPLETE[answerEnd(finishReasonOf(end.finishReason))]
  const status = reason === undefined ? "completed" : "incomplete"
  return {
    id,
    object: "response",
    created_at: createdAt,
    status: end === null ? "in_progress" : status,
    background: false,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    ...settingsOf(body),
    model,
    output,
    usage: end === null ? null : usageOf(end.usage),
  }
}

function settingsOf(body: ResponsesBody): Fields {
  const { effort = null } = fieldsOf(body.reasoning)
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort, summary: null },
    store: false,
    temperature: body.temperature ?? null,
    text: { format: { type: "text" }, ...body.text },
    tool_choice: body.tool_choice ?? "auto",
    tools: listOf(body.tools),
    top_p: body.top_p ?? null,
    truncation: "disabled",
  }
}

/** Converts the tokens of a chat. Unknown numbers are 0, because clients of this form accept nothing else. */
function usageOf(usage: unknown): Fields {
  const known = readTokenUsage(usage)
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = fieldsOf(usage)
  const input = known?.prompt_tokens ?? 0
  const output = known?.completion_tokens ?? 0
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: count(fieldsOf(prompt)["cached_tokens"]), cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: count(fieldsOf(completion)["reasoning_tokens"]) },
    total_tokens: known?.total_tokens ?? input + output,
  }
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
