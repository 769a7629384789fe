import type { FakeChatBody, FakeModel } from "../fake-model.ts"

/** A word that is an identifier, such as A1 or ORD-17. */
const ID = /\b[A-Z]+-?\d+\b/g

/**
 * An agent without understanding: if a word of the name of a tool is in the last message of the user, it calls that tool, with the last
 * identifier of the conversation for each text among its parameters. Then it repeats what the tools said. Without a tool, it repeats the message.
 */
export const agentModel: FakeModel = (body) => {
  const { messages } = body
  const at = messages.findLastIndex(({ role }) => role === "user")
  const asked = textOf(messages[at]?.content)
  const said = messages.slice(at + 1).filter(({ role }) => role === "tool")
  if (said.length > 0) return { content: said.map(({ content }) => textOf(content)).join("\n") }
  const ids = messages.slice(0, at + 1).flatMap(({ content }) => textOf(content).match(ID) ?? [])
  const toolCalls = toolsOf(body)
    .filter(({ name }) => name.split("_").some((word) => word.length > 3 && asked.toLowerCase().includes(word)))
    .map(({ name, parameters }, index) => ({
      id: `call_${at}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(argumentsOf(parameters, ids.at(-1) ?? "")) },
    }))
  if (toolCalls.length > 0) return { content: null, toolCalls, finish_reason: "tool_calls" }
  return { content: `You said: ${asked}` }
}

interface FakeTool {
  readonly name: string
  readonly parameters: { readonly properties?: Readonly<Record<string, { readonly type?: string }>> }
}

function toolsOf({ tools }: FakeChatBody): readonly FakeTool[] {
  return Array.isArray(tools) ? tools.map((one: { readonly function: FakeTool }) => one.function) : []
}

function argumentsOf({ properties = {} }: FakeTool["parameters"], id: string): object {
  const texts = Object.entries(properties).filter(([, { type }]) => type === "string")
  return Object.fromEntries(texts.map(([name]) => [name, id]))
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : ""
}
