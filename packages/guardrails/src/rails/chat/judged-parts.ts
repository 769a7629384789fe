import { readContent } from "@assay/inference"
import { fieldsOf } from "@assay/json"

type Fields = Readonly<Record<string, unknown>>

/** The fields of a message that output rails see, and those that name its author. */
const JUDGED = ["role", "name", "content", "tool_calls"] as const

/** Texts and objects of an answer, beside its choices, that say nothing of what the model wrote or searched. Others could hold it. */
const KEPT: ReadonlySet<string> = new Set(["id", "object", "model", "usage", "system_fingerprint", "service_tier"])

/**
 * Reduces an answer, or a chunk of one, to what output rails judge: the text and the tool calls of its first choice. Other choices,
 * reasoning, refusals, transcripts and token probabilities could contain what the rails would block.
 */
export function judgedParts(answer: Fields): Fields {
  const { choices } = answer
  const kept = Object.fromEntries(
    Object.entries(answer).filter(
      ([name, value]) => KEPT.has(name) || !["string", "object"].includes(typeof (value ?? 0)),
    ),
  )
  return Array.isArray(choices) ? { ...kept, choices: choices.slice(0, 1).map(judgedChoice) } : kept
}

function judgedChoice(choice: unknown): unknown {
  const { index = 0, message, delta, finish_reason = null } = fieldsOf(choice)
  return {
    index,
    // Of a chunk with both, only the delta is judged.
    ...(message === undefined || delta !== undefined ? {} : { message: judgedMessage(message) }),
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
