import { isJsonObject } from "@assay/json"

/** A message of a conversation, as it is shown. */
export interface ShownMessage {
  readonly role: string
  readonly text: string
  /** Calls of tools and other parts of the message, as JSON. */
  readonly more: string | undefined
}

/** Further messages are only in the JSON of the request. */
const MAX_MESSAGES = 200

/** Reads the messages of a body, or the messages themselves. Undefined for anything that is not a list of messages. */
export function readConversation(value: unknown): readonly ShownMessage[] | undefined {
  const messages = isJsonObject(value) ? (value["messages"] ?? promptOf(value)) : value
  if (!Array.isArray(messages) || messages.length === 0) return undefined
  const read = messages.slice(0, MAX_MESSAGES).map(readMessage)
  return read.every((message) => message !== undefined) ? read : undefined
}

function promptOf(body: Readonly<Record<string, unknown>>): unknown {
  return typeof body["prompt"] === "string" ? [{ role: "prompt", content: body["prompt"] }] : undefined
}

function readMessage(message: unknown): ShownMessage | undefined {
  if (!isJsonObject(message)) return undefined
  const { role, content, ...others } = message
  if (typeof role !== "string") return undefined
  const rest = Object.entries(others).filter(([, value]) => value !== null && value !== undefined)
  if (content === undefined && rest.length === 0) return undefined
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content ?? ""]
  const texts = parts.flatMap((part) => textOf(part) ?? [])
  const left = parts.filter((part) => textOf(part) === undefined)
  const more = { ...(left.length === 0 ? {} : { content: left }), ...Object.fromEntries(rest) }
  return {
    role,
    text: texts.join("\n\n"),
    more: Object.keys(more).length === 0 ? undefined : JSON.stringify(more, null, 2),
  }
}

function textOf(part: unknown): string | undefined {
  if (typeof part === "string") return part
  return isJsonObject(part) && part["type"] === "text" && typeof part["text"] === "string" ? part["text"] : undefined
}
