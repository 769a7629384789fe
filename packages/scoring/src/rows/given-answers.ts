import { failureOfAnswer, readContent, readTokenUsage, toolCallsOf } from "@assay/inference"
import { AssayError, type EvaluationSample, finishReasonOf } from "@assay/schemas"
import { nearestNumber, nearestNumbers, numberText, fieldsOf, listOf } from "@assay/json"

/** The parts of a chat answer that a row contains, or of a message. */
export interface AnswerParts {
  readonly text: string | null
  readonly finishReason: string | null
  /** As {@link toolCallsOf} returns them; empty if there are none. */
  readonly toolCalls: readonly unknown[]
  /** Whether the model wrote a text, reasoning or a call. */
  readonly hasOutput: boolean
}

/** Reads a whole chat completion or a single message leniently. */
export function answerParts(answer: unknown): AnswerParts {
  const choice = fieldsOf(listOf(fieldsOf(answer)["choices"])[0])
  const message = fieldsOf(choice["message"] ?? answer)
  const { text: completed, finish_reason: reason } = choice
  const content = readContent(message["content"])
  const text = content.text ?? (typeof completed === "string" ? completed : null)
  const toolCalls = toolCallsOf(message)
  const written = [text, content.reasoning, message["reasoning_content"], message["reasoning"]]
  const hasOutput = toolCalls.length > 0 || written.some((one) => typeof one === "string" && one !== "")
  return { text, finishReason: finishReasonOf(reason), toolCalls, hasOutput }
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
  const { text, finishReason, hasOutput } = answerParts(response)
  return {
    output_text: text ?? outputText(output),
    response,
    usage: readTokenUsage(nearestNumbers(fieldsOf(response)["usage"]), { hasOutput }),
    latency_ms: latency,
    finish_reason: finishReason,
  }
}

/** Returns an output as text. Numbers and booleans are outputs, too. */
function outputText(value: unknown): string | null {
  if (typeof value === "string") return value
  return typeof value === "boolean" ? String(value) : (numberText(value) ?? null)
}
