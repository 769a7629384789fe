import { fieldsOf } from "@assay/json"

/**
 * Returns the tool calls of a message. Some servers still write the only call under `function_call`, as OpenAI did before it had
 * `tool_calls`; it has the form of the others then. A message with both has only its `tool_calls`.
 */
export function toolCallsOf(message: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { tool_calls: calls, function_call: call } = message
  if (Array.isArray(calls) && calls.length > 0) return calls
  return typeof fieldsOf(call)["name"] === "string" ? [{ type: "function", function: call }] : []
}
