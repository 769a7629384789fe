type Fields = Readonly<Record<string, unknown>>

/** What output rails see of a message, and what names who says it. */
const JUDGED = ["role", "name", "content", "tool_calls"] as const

/**
 * Leaves in an answer, or in a chunk of one, what output rails judge: the text and the calls of tools of its first choice. Other
 * choices, reasoning, refusals, transcripts and probabilities of tokens could say what the rails would block.
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

/** Of a part, only its text is judged. */
function textPart(part: unknown): readonly Fields[] {
  const { text } = fieldsOf(part)
  return typeof text === "string" ? [{ type: "text", text }] : []
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
