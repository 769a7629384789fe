import { nearestNumber, nearestNumbers, numberText, type EvaluationSample, type TokenUsage } from "@assay/schemas"
import { answerParts } from "./answer-parts.ts"
import { fieldsOf } from "./fields-of.ts"

/** The output that a row brings along: `response` or `output` as text, or a whole chat answer under `response`. */
export function givenSample(item: Readonly<Record<string, unknown>>): EvaluationSample {
  const { response, output } = item
  const latencyMs = nearestNumber(item["latency_ms"])
  const isText = typeof response === "string"
  const latency = typeof latencyMs === "number" ? latencyMs : null
  if (isText || numberText(response) !== undefined || typeof response !== "object" || response === null) {
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
  return typeof value === "boolean" ? String(value) : (numberText(value) ?? null)
}

function usageOf(value: unknown): TokenUsage | null {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = fieldsOf(nearestNumbers(value))
  if (typeof prompt !== "number" || typeof completion !== "number") return null
  const sum = typeof total === "number" ? total : prompt + completion
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: sum }
}
