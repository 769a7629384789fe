import { fieldsOf, listOf } from "@assay/json"
import type { ResponsesBody } from "@assay/schemas"
import { isBlockedAnswer } from "../../rails/chat/blocked-answer.ts"
import type { ChatForm, Fields, FormContext } from "../chat-form.ts"
import { chatRequest } from "./chat-request.ts"
import { responseEvents } from "./response-events.ts"
import { itemId, outputItems } from "./response-items.ts"
import { responseRecord, type ResponseFrame } from "./response-record.ts"

/** OpenAI's Responses: text and functions. Nothing is stored, so each request has the whole conversation. */
export const responses: ChatForm<ResponsesBody> = {
  read(body, context) {
    const chat = chatRequest(body)
    const frame = { id: itemId("resp", context), createdAt: Math.floor(context.now() / 1000), body }
    return {
      chat,
      answer: (completion) => wholeResponse(completion, frame, context),
      events: (chunks) => responseEvents(chunks, frame, context),
    }
  },
  hasNamedEvents: true,
}

function wholeResponse(completion: Fields, frame: ResponseFrame, context: FormContext): Fields {
  const { model, choices, usage } = completion
  const { message, finish_reason: finishReason } = fieldsOf(listOf(choices)[0])
  return responseRecord(frame, {
    model,
    output: outputItems(message, context),
    end: { finishReason, isBlocked: isBlockedAnswer(completion), usage },
  })
}
