import type { ChatMessage } from "@assay/schemas"
import type { TraceMessage } from "../messages/trace-message.ts"
import type { Thread } from "./join-spans.ts"
import { toolName } from "./trace-turns.ts"

/** Returns a history as messages of a chat. */
export function chatMessages({ system, history }: Pick<Thread, "system" | "history">): readonly ChatMessage[] {
  return [...(system === "" ? [] : [{ role: "system", content: system }]), ...history.map(chatMessage)]
}

function chatMessage({ role, text, calls, callId, tool }: TraceMessage): ChatMessage {
  if (role === "tool") {
    return {
      role,
      ...(callId === undefined ? {} : { tool_call_id: callId }),
      ...(tool === undefined ? {} : { name: tool }),
      content: text,
    }
  }
  if (calls.length === 0) return { role, content: text }
  const tool_calls = calls.map(({ id, name, args }) => ({
    ...(id === undefined ? {} : { id }),
    type: "function",
    function: { name: toolName(name), arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }))
  return { role, content: text === "" ? null : text, tool_calls }
}
