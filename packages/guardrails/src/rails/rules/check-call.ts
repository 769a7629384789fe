import { acceptsNone, type DeclaredTools } from "./declared-tools.ts"
import type { CheckJson } from "./rule.ts"
import { readArguments, type ToolCall } from "./tool-call.ts"

/**
 * Checks a call against the tools of its request: one has this name, and its schema accepts the arguments. Returns the reason why
 * not, without the values of arguments, or null.
 * @throws as `checkJson`
 */
export async function checkCall(
  call: ToolCall,
  { byName, repeated }: DeclaredTools,
  checkJson: CheckJson,
): Promise<string | null> {
  const { name, kind, text } = call
  if (name === null) return "A call names no tool."
  const tool = byName.get(name)
  if (tool === undefined || tool.isFunction !== (kind === "function")) {
    return `The call of '${name}' is not a call of a tool of the request.`
  }
  if (repeated.has(name)) return `The request has two tools with the name '${name}'.`
  // The provider of any other tool knows what it accepts.
  if (!tool.isFunction) return null
  const given = readArguments(text)
  if (given === null) return `The arguments for '${name}' are not one JSON object.`
  const { parameters } = tool
  if (parameters === null || acceptsNone(parameters)) {
    return Object.keys(given).length === 0 ? null : `'${name}' accepts no arguments, and the call has some.`
  }
  const faults = await checkJson(parameters, text)
  if (faults === null) return null
  const at = faults[0]?.pointer ?? ""
  return `The arguments for '${name}' do not match its schema${at === "" ? "" : ` at '${at}'`}.`
}
