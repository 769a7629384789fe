/** A call of a tool in a message. */
export interface TraceCall {
  readonly id: string | undefined
  readonly name: string
  /** An object, or the text of malformed arguments. */
  readonly args: unknown
}

export type TraceRole = "system" | "user" | "assistant" | "tool"

/** A message of a trace, whatever the form in which it was recorded. */
export interface TraceMessage {
  readonly role: TraceRole
  readonly text: string
  readonly calls: readonly TraceCall[]
  /** Of a result of a tool: the call that it answers, and its tool. */
  readonly callId?: string | undefined
  readonly tool?: string | undefined
  /** Whether the tool failed. */
  readonly isError?: boolean | undefined
  /** Number of images and other parts that have no text. */
  readonly lost?: number | undefined
}

const ROLES: Readonly<Record<string, TraceRole>> = {
  system: "system",
  developer: "system",
  user: "user",
  human: "user",
  assistant: "assistant",
  ai: "assistant",
  model: "assistant",
  tool: "tool",
  function: "tool",
}

/** Returns the role that a name means, such as `human`, `AIMessage` or `ToolMessageChunk`. */
export function roleOf(name: unknown): TraceRole | undefined {
  if (typeof name !== "string") return undefined
  const word = name.toLowerCase().replace(/message(?:chunk)?$/, "")
  return Object.hasOwn(ROLES, word) ? ROLES[word] : undefined
}
