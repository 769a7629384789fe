import type { ChatMessage } from "@assay/schemas"
import { fieldsOf, isObject } from "@assay/json"
import { contentText } from "../rail.ts"

/** A chunk of a streamed chat completion, as the server wrote it. */
export type Chunk = Readonly<Record<string, unknown>>

/** The text and the tool calls that a chunk adds to the answer. */
export interface ChunkDelta {
  readonly text: string
  readonly toolCalls: readonly Readonly<Record<string, unknown>>[]
}

const NOTHING: ChunkDelta = { text: "", toolCalls: [] }

/** Reads what a chunk adds. Content of another shape adds nothing. */
export function chunkDelta({ choices }: Chunk): ChunkDelta {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const delta = isObject(choice) ? choice["delta"] : undefined
  if (!isObject(delta)) return NOTHING
  const calls = delta["tool_calls"]
  return {
    text: contentText(delta["content"] as ChatMessage["content"]),
    toolCalls: Array.isArray(calls) ? calls.filter(isObject) : [],
  }
}

/**
 * Joins the pieces of tool calls, in the order of their first pieces. Arguments can be an object, the input of a custom tool, or stand beside
 * `function`: a client may read each of them.
 */
export function joinToolCalls(pieces: ChunkDelta["toolCalls"]): readonly Readonly<Record<string, unknown>>[] {
  const calls = new Map<unknown, { id: unknown; type: "function"; function: { name: string; arguments: string } }>()
  for (const { index, id, function: called, custom, ...beside } of pieces) {
    const key = index ?? id
    const call = calls.get(key) ?? { id, type: "function", function: { name: "", arguments: "" } }
    for (const { name, arguments: given, input } of [beside, fieldsOf(custom), fieldsOf(called)]) {
      call.function.name += textOf(name)
      call.function.arguments += textOf(given) + textOf(input)
    }
    calls.set(key, call)
  }
  return [...calls.values()]
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value)
}
