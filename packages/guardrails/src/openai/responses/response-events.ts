import { fieldsOf, isObject, listOf } from "@assay/json"
import type { Fields, FormContext } from "../chat-form.ts"
import { isBlockedAnswer } from "../../rails/chat/blocked-answer.ts"
import { createResponseWriter } from "./response-writer.ts"
import { saidText } from "./response-items.ts"
import { responseRecord, type ResponseEnd, type ResponseFrame } from "./response-record.ts"

/**
 * Converts the chunks of a chat to the events of a response, in the order in which OpenAI sends them. The first event is
 * written after the first chunk has arrived, so that a failure before it keeps its own status.
 */
export async function* responseEvents(
  chunks: AsyncIterable<Fields>,
  frame: ResponseFrame,
  context: FormContext,
): AsyncGenerator<Fields> {
  const writer = createResponseWriter(context)
  let sequence = 0
  let model: unknown
  let end: ResponseEnd = { finishReason: null, isBlocked: false, usage: null }
  const numbered = (event: Fields) => ({ ...event, sequence_number: sequence++ })
  const recordOf = (over: ResponseEnd | null) =>
    responseRecord(frame, { model, output: over === null ? [] : writer.output(), end: over })

  for await (const chunk of chunks) {
    if (sequence === 0) {
      ;({ model } = chunk)
      yield numbered({ type: "response.created", response: recordOf(null) })
      yield numbered({ type: "response.in_progress", response: recordOf(null) })
    }
    end = endAfter(end, chunk)
    const { delta } = fieldsOf(listOf(chunk["choices"])[0])
    const said = saidText(delta) ?? ""
    if (said !== "") for (const event of writer.say(said)) yield numbered(event)
    const calls = listOf(fieldsOf(delta)["tool_calls"]).filter(isObject)
    for (const call of calls) for (const event of writer.call(call)) yield numbered(event)
  }
  for (const event of writer.finish()) yield numbered(event)
  const response = recordOf(end)
  yield numbered({ type: `response.${String(response["status"])}`, response })
}

function endAfter(end: ResponseEnd, chunk: Fields): ResponseEnd {
  const { choices, usage } = chunk
  const { finish_reason: finishReason } = fieldsOf(listOf(choices)[0])
  return {
    finishReason: finishReason ?? end.finishReason,
    isBlocked: end.isBlocked || isBlockedAnswer(chunk),
    usage: usage ?? end.usage,
  }
}
