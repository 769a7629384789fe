import { contentText, fieldsOf, listOf } from "../../rows/row-values.ts"
import type { ScoreInput } from "../../plan/task-plan.ts"
import { rowField } from "./row-field.ts"

/** What the user of a row asked: a text, or the texts of the user's messages. @throws `rows_invalid` where there is neither */
export function questionText(input: Pick<ScoreInput, "item">): string {
  const asked = rowField(input, "user_input", "question", "input", "prompt")
  if (typeof asked === "string") return asked
  return listOf(asked)
    .map(fieldsOf)
    .filter(({ role, type }) => (role ?? type ?? "user") === "user" || type === "human")
    .map(({ content }) => contentText(content) ?? "")
    .join("\n")
}
