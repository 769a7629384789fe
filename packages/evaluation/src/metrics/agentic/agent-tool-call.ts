import { parseJsonExactly } from "@assay/schemas"
import { fieldsOf, listOf } from "../../rows/row-values.ts"

/** A call of a tool as rows of agents write it. */
export interface AgentToolCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Reads `{name, args}`, `{name, arguments}` and `{function: {name, arguments}}`; arguments may be JSON text. Nameless ones are left out. */
export function agentToolCalls(value: unknown): readonly AgentToolCall[] {
  return listOf(value).flatMap((one) => {
    const call = fieldsOf(fieldsOf(one)["function"] ?? one)
    const { name, args = call["arguments"] } = call
    return typeof name === "string" && name !== "" ? [{ name, args: argsOf(args) }] : []
  })
}

/** The calls that the assistant makes in a conversation, in order. */
export function callsInConversation(messages: unknown): readonly AgentToolCall[] {
  return listOf(messages).flatMap((message) => agentToolCalls(fieldsOf(message)["tool_calls"]))
}

function argsOf(args: unknown): AgentToolCall["args"] {
  if (typeof args !== "string") return fieldsOf(args)
  try {
    return fieldsOf(parseJsonExactly(args))
  } catch {
    return {}
  }
}
