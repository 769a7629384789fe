import { fieldsOf } from "@assay/json"
import type { Fields, FormContext } from "../chat-form.ts"
import { callItem, itemId, messageItem, textOf, textPart, type Call } from "./response-items.ts"

interface OpenMessage {
  readonly kind: "message"
  readonly id: string
  readonly index: number
  text: string
}

interface OpenCall {
  readonly kind: "call"
  readonly id: string
  readonly index: number
  readonly callId: string
  readonly name: string
  given: string
}

type Item = OpenMessage | OpenCall

/** Writes the events of the items of one response, in order. */
export interface ResponseWriter {
  /** Adds text to the message, and begins one if none is open. */
  say(text: string): readonly Fields[]
  /** Adds a piece of a function call. The first piece ends the message before it. */
  call(piece: Fields): readonly Fields[]
  /** Ends all items. A response without items gets an empty message. */
  finish(): readonly Fields[]
  /** Returns the items that have ended, or all of them. */
  output(isOver: boolean): readonly Fields[]
}

export function createResponseWriter(context: FormContext): ResponseWriter {
  const items: Item[] = []
  const calls = new Map<unknown, OpenCall>()
  let message: OpenMessage | null = null

  function beginMessage(): readonly Fields[] {
    const begun: OpenMessage = { kind: "message", id: itemId("msg", context), index: items.length, text: "" }
    items.push(begun)
    message = begun
    const { id, index } = begun
    return [
      { type: "response.output_item.added", output_index: index, item: messageItem(id, null, "in_progress") },
      { type: "response.content_part.added", ...placeOf(begun), part: textPart("") },
    ]
  }

  function endMessage(): readonly Fields[] {
    if (message === null) return []
    const { id, index, text } = message
    const place = placeOf(message)
    message = null
    return [
      { type: "response.output_text.done", ...place, text, logprobs: [] },
      { type: "response.content_part.done", ...place, part: textPart(text) },
      { type: "response.output_item.done", output_index: index, item: messageItem(id, text, "completed") },
    ]
  }

  function beginCall(key: unknown, { id, function: called }: Fields): readonly [OpenCall, readonly Fields[]] {
    const before = endMessage()
    const callId = textOf(id) || itemId("call", context)
    const name = textOf(fieldsOf(called)["name"])
    const begun: OpenCall = {
      kind: "call",
      id: itemId("fc", context),
      index: items.length,
      callId,
      name,
      given: "",
    }
    items.push(begun)
    calls.set(key, begun)
    const item = callItem(callOf(begun), "in_progress")
    return [begun, [...before, { type: "response.output_item.added", output_index: begun.index, item }]]
  }

  return {
    say(text) {
      const begun = message === null ? beginMessage() : []
      const open = message as OpenMessage | null
      if (open === null) return begun
      open.text += text
      return [...begun, { type: "response.output_text.delta", ...placeOf(open), delta: text, logprobs: [] }]
    },

    call(piece) {
      const key = piece["index"] ?? piece["id"]
      const known = calls.get(key)
      const [open, begun] = known === undefined ? beginCall(key, piece) : [known, []]
      const delta = textOf(fieldsOf(piece["function"])["arguments"])
      if (delta === "") return begun
      open.given += delta
      const place = { item_id: open.id, output_index: open.index }
      return [...begun, { type: "response.function_call_arguments.delta", ...place, delta }]
    },

    finish() {
      const begun = items.length === 0 ? beginMessage() : []
      return [...begun, ...endMessage(), ...[...calls.values()].flatMap(endCall)]
    },

    output: (isOver) => (isOver ? items.map(itemOf) : []),
  }
}

function placeOf({ id, index }: OpenMessage): Fields {
  return { item_id: id, output_index: index, content_index: 0 }
}

function endCall(call: OpenCall): readonly Fields[] {
  const { id, index, given, name } = call
  return [
    { type: "response.function_call_arguments.done", item_id: id, output_index: index, arguments: given },
    { type: "response.output_item.done", output_index: index, item: callItem(callOf(call), "completed") },
  ]
}

function callOf({ id, callId, name, given }: OpenCall): Call {
  return { id, callId, name, arguments: given }
}

function itemOf(item: Item): Fields {
  return item.kind === "message"
    ? messageItem(item.id, item.text, "completed")
    : callItem(callOf(item), "completed")
}
