import { fieldsOf, listOf } from "@assay/json"
import { unwrapJson } from "./embedded-json.ts"
import type { TraceCall } from "./trace-message.ts"

/** Calls of a message that are read. */
const MAX_CALLS = 200

/** Reads a call of a tool in any of its forms: of OpenAI, Anthropic, Gemini, LangChain, the AI SDK, OpenInference and OpenLLMetry. */
export function callOf(value: Readonly<Record<string, unknown>>): TraceCall {
  const call = fieldsOf(value["tool_call"] ?? value)
  const inner = fieldsOf(call["function"])
  const { id, call_id, toolCallId, name, toolName, tool_name } = call
  const args = inner["arguments"] ?? call["arguments"] ?? call["args"] ?? call["input"] ?? call["parameters"]
  return {
    id: [call_id, toolCallId, id].find((one): one is string => typeof one === "string" && one !== ""),
    name: [inner["name"], name, toolName, tool_name].find((one) => typeof one === "string") ?? "",
    args: argumentsOf(args),
  }
}

/** Returns arguments as an object. Text that is not JSON stays a text. */
export function argumentsOf(args: unknown): unknown {
  if (args === undefined || args === null || args === "") return {}
  return unwrapJson(args)
}

/** Reads the calls of a message that are beside its content. */
export function callsBeside(message: Readonly<Record<string, unknown>>): readonly TraceCall[] {
  const { tool_calls, toolCalls, additional_kwargs, function_call, function_call_name, function_call_arguments_json } =
    message
  const listed = [tool_calls, toolCalls, fieldsOf(additional_kwargs)["tool_calls"]]
    .map((list) => listOf(unwrapJson(list)))
    .find((list) => list.length > 0)
  const legacy = unwrapJson(function_call)
  return [
    ...(listed ?? []).map((one) => callOf(fieldsOf(one))),
    ...(legacy === undefined || legacy === null ? [] : [callOf(fieldsOf(legacy))]),
    ...(typeof function_call_name === "string"
      ? [{ id: undefined, name: function_call_name, args: argumentsOf(function_call_arguments_json) }]
      : []),
  ].slice(0, MAX_CALLS)
}
