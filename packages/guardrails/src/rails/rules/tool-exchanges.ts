import type { ChatMessage } from "@assay/schemas"
import { callsOf, type ToolCall } from "./tool-call.ts"

/** The calls of one message of the assistant, and the results that follow it. */
export interface ToolExchange {
  readonly calls: readonly ToolCall[]
  readonly results: ChatMessage[]
}

const RESULT_ROLES: ReadonlySet<string> = new Set(["tool", "function"])

/** Returns the exchanges of a chat. Results before the first message of the assistant belong to one without calls. */
export function toolExchanges(messages: readonly ChatMessage[]): readonly ToolExchange[] {
  const exchanges: ToolExchange[] = [{ calls: [], results: [] }]
  for (const message of messages) {
    if (message.role === "assistant") exchanges.push({ calls: callsOf(message), results: [] })
    else if (RESULT_ROLES.has(message.role)) exchanges.at(-1)?.results.push(message)
  }
  return exchanges.filter(({ results }) => results.length > 0)
}

/** Returns the only call that a result answers, or null: by id, or by name for the older form, which has no ids. */
export function callOfResult(
  calls: readonly ToolCall[],
  { role, tool_call_id: id, name }: ChatMessage,
): ToolCall | null {
  const found = calls.filter((call) =>
    role === "function" ? call.id === null && call.name === name : call.id !== null && call.id === id,
  )
  return found.length === 1 ? (found[0] ?? null) : null
}
