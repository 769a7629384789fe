import { fieldsOf } from "@assay/json"

type Fields = Readonly<Record<string, unknown>>

/** Converts a whole completion to the only chunk of a stream. */
export function chunkOf(completion: Fields): Fields {
  return { ...createChunkForm()(completion), object: "chat.completion.chunk" }
}

/**
 * Returns a function that converts each chunk of one stream: `message` is renamed to `delta`. Some servers repeat the whole `message`
 * after its deltas, which adds nothing, so it becomes an empty delta.
 */
export function createChunkForm(): (chunk: Fields) => Fields {
  const withDeltas = new Set<unknown>()

  function converted(choice: unknown, position: number): unknown {
    const { message, delta, ...rest } = fieldsOf(choice)
    const index = rest["index"] ?? position
    if (isFilled(delta)) withDeltas.add(index)
    if (isFilled(delta) || !isFilled(message)) return choice
    return { ...rest, delta: withDeltas.has(index) ? {} : withIndexes(message) }
  }

  return (chunk) => {
    const { choices } = chunk
    return Array.isArray(choices) ? { ...chunk, choices: choices.map(converted) } : chunk
  }
}

/** Numbers the tool calls, as deltas do. */
function withIndexes(message: Fields): Fields {
  const { tool_calls: calls } = message
  if (!Array.isArray(calls)) return message
  return { ...message, tool_calls: calls.map((call: unknown, index) => ({ index, ...fieldsOf(call) })) }
}

function isFilled(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0
}
