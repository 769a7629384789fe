import { contentText, fieldsOf, listOf } from "../../rows/row-values.ts"
import type { ScoreInput } from "../../plan/task-plan.ts"
import { agentToolCalls } from "./agent-tool-call.ts"
import { rowField } from "./row-field.ts"

const SPEAKERS = new Map([
  ["human", "User"],
  ["user", "User"],
  ["ai", "Assistant"],
  ["assistant", "Assistant"],
  ["tool", "Tool"],
  ["system", "System"],
])

/** What the user, the assistant and the tools said, a line each, with the answer that is scored at the end. */
export function conversationText(input: ScoreInput): string {
  const asked = rowField(input, "user_input", "question", "input", "prompt")
  const lines = typeof asked === "string" ? [`User: ${asked}`] : listOf(asked).flatMap(linesOf)
  const answer = input.sample.output_text
  const last = `Assistant: ${answer}`
  return (answer === null || lines.at(-1) === last ? lines : [...lines, last]).join("\n")
}

function linesOf(message: unknown): readonly string[] {
  const { role, type, content, tool_calls: calls } = fieldsOf(message)
  const word = typeof role === "string" ? role : typeof type === "string" ? type : "user"
  const speaker = SPEAKERS.get(word) ?? word
  const text = contentText(content) ?? ""
  return [
    ...(text === "" ? [] : [`${speaker}: ${text}`]),
    ...agentToolCalls(calls).map(({ name, args }) => `${speaker} calls ${name}(${JSON.stringify(args)})`),
  ]
}
