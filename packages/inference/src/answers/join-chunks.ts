import { fieldsOf, listOf } from "@assay/json"
import type { Chunk } from "./read-chunks.ts"
import { readContent } from "./read-content.ts"

type Fields = Readonly<Record<string, unknown>>

/** The parts of a message that come in pieces. */
const TEXTS = ["content", "reasoning_content", "reasoning", "refusal"] as const

/**
 * Joins the chunks of one answer to the completion that they make up. Each choice has the joined texts, tool calls and log-probabilities
 * of its deltas, and the last value of every other field.
 */
export function joinChunks(chunks: readonly Chunk[]): Fields {
  const choices = new Map<unknown, Choice>()
  const rest = new Map<string, unknown>()
  for (const { choices: list, ...fields } of chunks) {
    for (const [name, value] of Object.entries(fields)) if (value !== null) rest.set(name, value)
    for (const one of listOf(list)) addDelta(choices, fieldsOf(one))
  }
  return {
    ...Object.fromEntries(rest),
    object: "chat.completion",
    choices: [...choices.values()].map(({ fields, message, calls, logprobs }) => ({
      ...fields,
      message: {
        role: "assistant",
        content: null,
        ...message,
        ...(calls.size > 0 && { tool_calls: [...calls.values()] }),
      },
      ...(logprobs.length > 0 && { logprobs: { content: logprobs } }),
    })),
  }
}

interface Choice {
  fields: Fields
  message: Fields
  readonly calls: Map<unknown, Fields>
  readonly logprobs: unknown[]
}

function addDelta(choices: Map<unknown, Choice>, { delta, logprobs, text, ...fields }: Fields): void {
  const index = fields["index"] ?? 0
  const choice: Choice = choices.get(index) ?? { fields: {}, message: {}, calls: new Map(), logprobs: [] }
  choices.set(index, choice)
  const known = Object.entries(fields).filter(([, value]) => value !== null)
  choice.fields = { ...choice.fields, ...Object.fromEntries(known) }
  choice.logprobs.push(...listOf(fieldsOf(logprobs)["content"]))
  const added: Fields = typeof text === "string" ? { content: text } : withTexts(fieldsOf(delta))
  for (const name of TEXTS) {
    const piece = added[name]
    if (typeof piece === "string") choice.message = { ...choice.message, [name]: textAt(choice.message, name) + piece }
  }
  if (added["function_call"] != null) {
    const before = fieldsOf(choice.message["function_call"])
    choice.message = { ...choice.message, function_call: joinedCall(before, fieldsOf(added["function_call"])) }
  }
  for (const [position, call] of listOf(added["tool_calls"]).map(fieldsOf).entries()) addCall(choice, call, position)
}

/** Returns a delta whose content is a text: parts of reasoning and refusals go to fields of their own. */
function withTexts(delta: Fields): Fields {
  const { content } = delta
  if (!Array.isArray(content)) return delta
  const { text, reasoning, refusal } = readContent(content)
  return { ...delta, content: text, ...(reasoning !== null && { reasoning }), ...(refusal !== null && { refusal }) }
}

function addCall({ calls }: Choice, { index, ...call }: Fields, position: number): void {
  const key = index ?? call["id"] ?? position
  const known = calls.get(key) ?? {}
  calls.set(key, { ...known, ...call, function: joinedCall(fieldsOf(known["function"]), fieldsOf(call["function"])) })
}

function joinedCall(before: Fields, added: Fields): Fields {
  const name = textAt(before, "name") + textAt(added, "name")
  return { name, arguments: textAt(before, "arguments") + argumentsOf(added) }
}

function argumentsOf({ arguments: given }: Fields): string {
  if (typeof given === "string") return given
  return typeof given === "object" && given !== null ? JSON.stringify(given) : ""
}

function textAt(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === "string" ? value : ""
}
