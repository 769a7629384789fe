import { fieldsOf, isJsonObject, listOf, parseJsonExactly } from "@assay/json"
import type { ChatMessage, ConversationCall, ConversationTurn } from "@assay/schemas"
import { readToolCalls } from "../../conversation/tools/tool-calls.ts"
import { textOfContent } from "./transcript.ts"

type Draft = { -readonly [Key in keyof ConversationTurn]: ConversationTurn[Key] } & { calls: ConversationCall[] }

/** Splits messages into turns, each of which begins with a message of the user. Messages before the first of them are left out. */
export function turnsOfMessages(messages: readonly ChatMessage[]): readonly ConversationTurn[] {
  const turns: Draft[] = []
  const byId = new Map<string, { readonly turn: Draft; readonly at: number }>()
  for (const message of messages) {
    const { role, content } = message
    if (role === "user") turns.push(begin(textOfContent(content) ?? "", turns.length))
    const turn = turns.at(-1)
    if (turn === undefined) continue
    if (role === "assistant") {
      turn.output_text = textOfContent(content) ?? turn.output_text
      for (const { id, name, args, text } of readToolCalls(
        listOf(message["tool_calls"]),
        (at) => `${turns.length}-${at}`,
      )) {
        byId.set(id, { turn, at: turn.calls.length })
        turn.calls.push({ name, arguments: args ?? text.slice(0, MAX_SHOWN) })
      }
    }
    const of = role === "tool" ? byId.get(String(message["tool_call_id"])) : undefined
    const call = of?.turn.calls[of.at]
    if (of !== undefined && call !== undefined)
      of.turn.calls[of.at] = { ...call, ...outcomeOf(textOfContent(content) ?? "") }
  }
  return turns
}

/** Characters of malformed arguments that are kept. */
const MAX_SHOWN = 1000

function begin(user: string, turn: number): Draft {
  return { user, output_text: null, calls: [], scores: {}, turn, usage: null, latency_ms: null, finish_reason: null }
}

/** Returns the result of a call, as a value if it is JSON. An object with `error` alone is an error. */
function outcomeOf(text: string): Pick<ConversationCall, "result" | "error"> {
  const value = valueOf(text)
  const { error, ...others } = isJsonObject(value) ? fieldsOf(value) : {}
  return typeof error === "string" && Object.keys(others).length === 0 ? { error } : { result: value }
}

function valueOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return parseJsonExactly(text)
  } catch {
    return text
  }
}
