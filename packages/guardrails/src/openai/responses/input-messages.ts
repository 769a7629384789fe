import { fieldsOf, listOf } from "@assay/json"
import { invalidRequest, type ChatMessage } from "@assay/schemas"
import type { Fields } from "../chat-form.ts"
import { unsupported } from "../unsupported.ts"
import { messageContent, requiredText, outputText } from "./message-content.ts"

type Location = readonly (string | number)[]

/** Roles of messages. Many model servers do not know `developer`, which means the same as `system`. */
const ROLES: Readonly<Record<string, string>> = {
  user: "user",
  assistant: "assistant",
  system: "system",
  developer: "system",
}

/**
 * Converts the input of a request to the messages of a chat, without the instructions.
 * @throws `invalid_request` for an item that is not a message, a function call or its output
 */
export function inputMessages(input: unknown): readonly ChatMessage[] {
  if (typeof input === "string") return [{ role: "user", content: input }]
  const messages: ChatMessage[] = []
  for (const [index, item] of listOf(input).entries()) {
    const at = ["input", index]
    const fields = fieldsOf(item)
    const { type = "message" } = fields
    if (type === "message") messages.push(chatMessage(fields, at))
    else if (type === "function_call") addCall(messages, fields, at)
    else if (type === "function_call_output") messages.push(toolMessage(fields, at))
    else throw unsupported([...at, "type"], reasonFor(type), type)
  }
  return messages
}

function reasonFor(type: unknown): string {
  if (type === "item_reference") {
    return "nothing is stored here; send the item itself (AI SDK: providerOptions.openai.store = false, or openai.chat(…))"
  }
  return "send messages, and items of type function_call and function_call_output"
}

function chatMessage({ role, content }: Fields, at: Location): ChatMessage {
  const known = typeof role === "string" && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined
  if (known === undefined) {
    throw invalidRequest(["body", ...at, "role"], `must be one of ${Object.keys(ROLES).join(", ")}`, "enum", role)
  }
  return { role: known, content: messageContent(content, [...at, "content"]) }
}

/** Adds a call to the message of the assistant before it: a chat has the calls of one turn in one message. */
function addCall(messages: ChatMessage[], fields: Fields, at: Location): void {
  const call = {
    id: requiredText(fields, "call_id", at),
    type: "function",
    function: { name: requiredText(fields, "name", at), arguments: requiredText(fields, "arguments", at) },
  }
  const last = messages.at(-1)
  if (last?.role !== "assistant") {
    messages.push({ role: "assistant", content: null, tool_calls: [call] })
    return
  }
  const calls = [...listOf((last as Fields)["tool_calls"]), call]
  messages[messages.length - 1] = { ...last, tool_calls: calls }
}

function toolMessage(fields: Fields, at: Location): ChatMessage {
  const content = outputText(fields["output"], [...at, "output"])
  return { role: "tool", tool_call_id: requiredText(fields, "call_id", at), content }
}
