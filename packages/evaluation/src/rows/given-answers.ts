import { type EvaluationSample, nearestNumber, nearestNumbers, numberText, type TokenUsage } from "@assay/schemas"
import { contentText, fieldsOf, listOf } from "./row-values.ts"

/** The parts of a chat answer that a row contains, or of a message. */
export interface AnswerParts {
  readonly text: string | null
  readonly finishReason: string | null
  /** Without any change; empty if there are none. */
  readonly toolCalls: readonly unknown[]
}

/** Reads a whole chat completion or a single message leniently. */
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

/** Returns the output of a row: `response` or `output` as text, or a whole chat completion under `response`. */
export function givenSample(item: Readonly<Record<string, unknown>>): EvaluationSample {
  const { response, output } = item
  const latencyMs = nearestNumber(item["latency_ms"])
  const isText = typeof response === "string"
  const latency = typeof latencyMs === "number" ? latencyMs : null
  if (isText || numberText(response) !== undefined || typeof response !== "object" || response === null) {
    const text = outputText(response) ?? outputText(output)
    return { output_text: text, response: null, usage: null, latency_ms: latency, finish_reason: null }
  }
  const { text, finishReason } = answerParts(response)
  return {
    output_text: text ?? outputText(output),
    response,
    usage: usageOf(fieldsOf(response)["usage"]),
    latency_ms: latency,
    finish_reason: finishReason,
  }
}

/** Returns an output as text. Numbers and booleans are outputs, too. */
function outputText(value: unknown): string | null {
  if (typeof value === "string") return value
  return typeof value === "boolean" ? String(value) : (numberText(value) ?? null)
}

function usageOf(value: unknown): TokenUsage | null {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = fieldsOf(nearestNumbers(value))
  if (typeof prompt !== "number" || typeof completion !== "number") return null
  const sum = typeof total === "number" ? total : prompt + completion
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: sum }
}
