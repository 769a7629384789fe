import { failureOfAnswer, readContent, readTokenUsage } from "@assay/inference"
import { AssayError, type EvaluationSample } from "@assay/schemas"
import { nearestNumber, nearestNumbers, numberText, fieldsOf, listOf } from "@assay/json"

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
    text: readContent(message["content"]).text ?? (typeof text === "string" ? text : null),
    finishReason: typeof reason === "string" ? reason : null,
    toolCalls: listOf(message["tool_calls"]),
  }
}

/** Characters of a failure that are shown. */
const SHOWN = 300

/**
 * Returns the output of a row: `response` or `output` as text, or a whole chat completion under `response`.
 * @throws `rows_invalid` for a completion that says that its request failed
 */
export function givenSample(item: Readonly<Record<string, unknown>>): EvaluationSample {
  const { response, output } = item
  const latencyMs = nearestNumber(item["latency_ms"])
  const isText = typeof response === "string"
  const latency = typeof latencyMs === "number" ? latencyMs : null
  if (isText || numberText(response) !== undefined || typeof response !== "object" || response === null) {
    const text = outputText(response) ?? outputText(output)
    return { output_text: text, response: null, usage: null, latency_ms: latency, finish_reason: null }
  }
  const failure = failureOfAnswer(fieldsOf(response))
  if (failure !== undefined) {
    const message = `The 'response' of the row says that its request failed: ${JSON.stringify(failure).slice(0, SHOWN)}; leave the row out, or ask again.`
    throw new AssayError("rows_invalid", message)
  }
  const { text, finishReason } = answerParts(response)
  return {
    output_text: text ?? outputText(output),
    response,
    usage: readTokenUsage(nearestNumbers(fieldsOf(response)["usage"]), { hasText: (text ?? "") !== "" }),
    latency_ms: latency,
    finish_reason: finishReason,
  }
}

/** Returns an output as text. Numbers and booleans are outputs, too. */
function outputText(value: unknown): string | null {
  if (typeof value === "string") return value
  return typeof value === "boolean" ? String(value) : (numberText(value) ?? null)
}
