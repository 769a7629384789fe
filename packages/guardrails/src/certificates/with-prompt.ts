import type { GuardrailData, GuardrailPrompt } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"

/** Shows the text to judge. */
const PLACEHOLDER = /\{\{-?\s*(?:user_input|messages?)\b/u

/**
 * Returns a configuration whose first input rail asks with another prompt.
 * @param from where the prompt is from, for messages
 * @throws `bad_usage` if the prompt does not show the text to judge, or the configuration has no input rail
 */
export function withPrompt(data: GuardrailData, content: string, from: string): GuardrailData {
  const bad = (what: string) =>
    new AssayError("bad_usage", `The prompt of '${printable(from)}' can't be tried: ${what}.`)
  if (!PLACEHOLDER.test(content)) throw bad("it does not show the message; write {{ user_input }} where it belongs")
  const { prompts = [] } = data
  const place = prompts.findIndex(({ task }) => /input/u.test(task))
  const changed = ({ messages: _messages, ...prompt }: GuardrailPrompt): GuardrailPrompt => ({ ...prompt, content })
  if (place >= 0) return { ...data, prompts: prompts.map((prompt, at) => (at === place ? changed(prompt) : prompt)) }
  const [flow] = data.rails?.input?.flows ?? []
  if (flow === undefined) throw bad("the configuration has no input rail")
  return { ...data, prompts: [...prompts, { task: taskOf(flow), content }] }
}

/** `content safety check input $model=judge` asks with the prompt of `content_safety_check_input $model=judge`. */
function taskOf(flow: string): string {
  const [name = "", ...parameters] = flow.split(" $")
  return [name.trim().replaceAll(" ", "_"), ...parameters].join(" $")
}
