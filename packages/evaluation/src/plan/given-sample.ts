import type { EvaluationSample, TokenUsage } from "@assay/schemas"
import { answerParts } from "./answer-parts.ts"
import { fieldsOf } from "./fields-of.ts"

/** The output that a row brings along: `response` or `output` as text, or a whole chat answer under `response`. */
export function givenSample(item: Readonly<Record<string, unknown>>): EvaluationSample {
  const { response, output, latency_ms } = item
  const isText = typeof response === "string"
  const latency = typeof latency_ms === "number" ? latency_ms : null
  if (isText || typeof response !== "object" || response === null) {
    const text = textOf(response) ?? textOf(output)
    return { output_text: text, response: null, usage: null, latency_ms: latency, finish_reason: null }
  }
  const { text, finishReason } = answerParts(response)
  return {
    output_text: text ?? textOf(output),
    response,
    usage: usageOf(fieldsOf(response)["usage"]),
    latency_ms: latency,
    finish_reason: finishReason,
  }
}

/** Columns of numbers and booleans are outputs too. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null
}

function usageOf(value: unknown): TokenUsage | null {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = fieldsOf(value)
  if (typeof prompt !== "number" || typeof completion !== "number") return null
  const sum = typeof total === "number" ? total : prompt + completion
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: sum }
}
