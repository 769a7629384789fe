import { type GuardrailData, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { inputPromptOf } from "./input-prompt.ts"

/** Shows the text to judge. */
const PLACEHOLDER = /\{\{-?\s*(?:user_input|messages?)\b|\bin\s+messages\b/u

/**
 * Returns a configuration whose first input rail asks with another prompt.
 * @param from where the prompt is from, for messages
 * @throws `bad_usage` if the prompt does not show the text to judge, or the configuration has no input rail
 */
export function withPrompt(data: GuardrailData, content: string, from: string): GuardrailData {
  const bad = (what: string) =>
    new AssayError("bad_usage", `The prompt of '${printable(from)}' can't be tried: ${what}.`)
  if (!PLACEHOLDER.test(content)) throw bad("it does not show the message; write {{ user_input }} where it belongs")
  const prompt = inputPromptOf(data)
  if (prompt === undefined) throw bad("the configuration has no input rail")
  return prompt.withContent(content)
}
