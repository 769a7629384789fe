import { readContent } from "@assay/inference"
import { fieldsOf } from "@assay/json"

type Fields = Readonly<Record<string, unknown>>

/** The fields of a message that output rails see, and those that name its author. */
const JUDGED = ["role", "name", "content", "tool_calls"] as const

/**
 * Reduces an answer, or a chunk of one, to what output rails judge: the text and the tool calls of its first choice. Other choices,
 * reasoning, refusals, transcripts and token probabilities could contain what the rails would block.
 */
export function judgedParts(answer: Fields): Fields {
  const { choices } = answer
  return Array.isArray(choices) ? { ...answer, choices: choices.slice(0, 1).map(judgedChoice) } : answer
}

function judgedChoice(choice: unknown): unknown {
  const { index = 0, message, delta, finish_reason = null } = fieldsOf(choice)
  return {
    index,
    ...(message === undefined ? {} : { message: judgedMessage(message) }),
    ...(delta === undefined ? {} : { delta: judgedMessage(delta) }),
    finish_reason,
  }
}

function judgedMessage(message: unknown): Fields {
  const fields = fieldsOf(message)
  const kept = JUDGED.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]] as const]))
  const { content } = fields
  const parts = Array.isArray(content) ? { content: content.flatMap(textPart) } : {}
  return { ...Object.fromEntries(kept), ...parts }
}

/** Returns only the text of a part, since nothing else is judged: reasoning in parts is not. */
function textPart(part: unknown): readonly Fields[] {
  const { text } = readContent([part])
  return text === null ? [] : [{ type: "text", text }]
}
