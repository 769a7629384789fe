import type { Fields } from "../chat-form.ts"
import { callItem, messageItem, textPart } from "./response-items.ts"

/** A message that is being written. */
export interface OpenMessage {
  readonly kind: "message"
  readonly id: string
  readonly index: number
  text: string
}

/** A function call that is being written. */
export interface OpenCall {
  readonly kind: "call"
  readonly id: string
  readonly index: number
  readonly callId: string
  readonly name: string
  arguments: string
}

export type OpenItem = OpenMessage | OpenCall

/** Returns the finished item. */
export function finishedItem(item: OpenItem): Fields {
  return item.kind === "message" ? messageItem(item.id, item.text, "completed") : callItem(item, "completed")
}

export function beginEvents(item: OpenItem): readonly Fields[] {
  const { index } = item
  const begun = item.kind === "message" ? messageItem(item.id, null, "in_progress") : callItem(item, "in_progress")
  const added = { type: "response.output_item.added", output_index: index, item: begun }
  if (item.kind === "call") return [added]
  return [added, { type: "response.content_part.added", ...positionOf(item), part: textPart("") }]
}

export function textEvent(message: OpenMessage, delta: string): Fields {
  return { type: "response.output_text.delta", ...positionOf(message), delta, logprobs: [] }
}

export function argumentsEvent({ id, index }: OpenCall, delta: string): Fields {
  return { type: "response.function_call_arguments.delta", item_id: id, output_index: index, delta }
}

export function endEvents(item: OpenItem): readonly Fields[] {
  const { id, index } = item
  const done = { type: "response.output_item.done", output_index: index, item: finishedItem(item) }
  if (item.kind === "call") {
    const { arguments: given } = item
    const position = { item_id: id, output_index: index }
    return [{ type: "response.function_call_arguments.done", ...position, arguments: given }, done]
  }
  const { text } = item
  return [
    { type: "response.output_text.done", ...positionOf(item), text, logprobs: [] },
    { type: "response.content_part.done", ...positionOf(item), part: textPart(text) },
    done,
  ]
}

/** A message has one part. */
function positionOf({ id, index }: OpenMessage): Fields {
  return { item_id: id, output_index: index, content_index: 0 }
}
