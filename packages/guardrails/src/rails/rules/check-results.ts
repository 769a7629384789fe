import type { ChatMessage } from "@assay/schemas"
import { callOfResult, toolExchanges, type ToolExchange } from "./tool-exchanges.ts"

/**
 * Checks the results of tools in a chat: each answers exactly one call of the message of the assistant before it, no call has two
 * results, and a result that names its tool names the called one. Returns the reason why not, or null.
 */
export function checkResults(messages: readonly ChatMessage[]): string | null {
  for (const exchange of toolExchanges(messages)) {
    const reason = checkExchange(exchange)
    if (reason !== null) return reason
  }
  return null
}

function checkExchange({ calls, results }: ToolExchange): string | null {
  const answered = new Set<unknown>()
  for (const result of results) {
    const call = callOfResult(calls, result)
    const shown = shownId(result)
    if (call === null) return `The result${shown} does not answer exactly one call of the message before it.`
    if (answered.has(call)) return `The result${shown} is the second one of its call.`
    answered.add(call)
    const { name } = result
    if (name != null && call.name !== null && name !== call.name) {
      return `The result${shown} names another tool than its call, which is of '${call.name}'.`
    }
  }
  return null
}

function shownId({ tool_call_id: id }: ChatMessage): string {
  return typeof id === "string" ? ` for '${id}'` : ""
}
