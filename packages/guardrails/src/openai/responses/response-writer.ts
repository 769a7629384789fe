import { fieldsOf } from "@assay/json"
import type { Fields, FormContext } from "../chat-form.ts"
import {
  argumentsEvent,
  beginEvents,
  endEvents,
  finishedItem,
  textEvent,
  type OpenCall,
  type OpenItem,
  type OpenMessage,
} from "./item-events.ts"
import { itemId, textOf } from "./response-items.ts"

/** Writes the events of the items of one response, in order. */
export interface ResponseWriter {
  /** Adds text to the message, and begins one if none is open. */
  say(text: string): readonly Fields[]
  /** Adds a piece of a function call. The first piece ends the message before it. */
  call(piece: Fields): readonly Fields[]
  /** Ends all items. A response without items gets an empty message. */
  finish(): readonly Fields[]
  /** Returns all items. Call it after `finish`. */
  output(): readonly Fields[]
}

export function createResponseWriter(context: FormContext): ResponseWriter {
  const items: OpenItem[] = []
  const calls = new Map<unknown, OpenCall>()
  let message: OpenMessage | null = null

  function beginMessage(): OpenMessage {
    message = { kind: "message", id: itemId("msg", context), index: items.length, text: "" }
    items.push(message)
    return message
  }

  function endMessage(): readonly Fields[] {
    const ended = message
    message = null
    return ended === null ? [] : endEvents(ended)
  }

  function beginCall(key: unknown, { id, function: called }: Fields): OpenCall {
    const begun: OpenCall = {
      kind: "call",
      id: itemId("fc", context),
      index: items.length,
      callId: textOf(id) || itemId("call", context),
      name: textOf(fieldsOf(called)["name"]),
      arguments: "",
    }
    items.push(begun)
    calls.set(key, begun)
    return begun
  }

  return {
    say(text) {
      const known = message
      const open = known ?? beginMessage()
      open.text += text
      return [...(known === null ? beginEvents({ ...open, text: "" }) : []), textEvent(open, text)]
    },

    call(piece) {
      const key = piece["index"] ?? piece["id"]
      const known = calls.get(key)
      const ended = known === undefined ? endMessage() : []
      const open = known ?? beginCall(key, piece)
      const begun = known === undefined ? beginEvents(open) : []
      const delta = textOf(fieldsOf(piece["function"])["arguments"])
      open.arguments += delta
      return [...ended, ...begun, ...(delta === "" ? [] : [argumentsEvent(open, delta)])]
    },

    finish() {
      const begun = items.length === 0 ? beginEvents(beginMessage()) : []
      return [...begun, ...endMessage(), ...[...calls.values()].flatMap(endEvents)]
    },

    output: () => items.map(finishedItem),
  }
}
