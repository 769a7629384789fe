import { isAssayError, type GuardrailData } from "@assay/schemas"
import { checkGuardrailData } from "../../configuration/check-guardrail-data.ts"
import { effectiveData, templateValues } from "../../configuration/effective-data.ts"
import { compilePrompt } from "../../rails/judges/compile-prompt.ts"
import { contentText } from "../../rails/rail.ts"
import { inputPromptOf } from "../candidates/input-prompt.ts"

/** A proposed prompt that can be tried, or the reason why not. */
export type CheckedProposal = { readonly data: GuardrailData } | { readonly reason: string }

const TAG = /\{\{-?\s*user_input\s*-?\}\}/u
const MAX_PROMPT = 8_000
/** A rendered prompt can be longer than its template, but not by much. */
const MAX_RENDERED = 4 * MAX_PROMPT
const MESSAGE = "the message of the user 7f3a9c"

/**
 * Checks a prompt that a model wrote, and returns the configuration with it. The prompt has at most 8,000 characters, shows the message
 * by `{{ user_input }}`, is a template that the configuration accepts, and renders within the limits of all templates.
 */
export function checkProposal(data: GuardrailData, text: string): CheckedProposal {
  if (text.length > MAX_PROMPT) return { reason: `it has ${text.length} characters, more than ${MAX_PROMPT}` }
  if (!TAG.test(text)) return { reason: "it does not contain the tag {{ user_input }}" }
  const changed = inputPromptOf(data)?.withText(text)
  if (changed === undefined) return { reason: "the configuration has no input rail" }
  try {
    checkGuardrailData(changed)
    const input = { user_input: MESSAGE, bot_response: "", messages: [{ role: "user", content: MESSAGE }] }
    const [message] = compilePrompt({ content: text }, templateValues(effectiveData(changed)))(input)
    const rendered = contentText(message?.content)
    if (rendered.length > MAX_RENDERED) return { reason: `it renders to more than ${MAX_RENDERED} characters` }
    if (!rendered.includes(MESSAGE)) return { reason: "it does not show the message when it is rendered" }
    return { data: changed }
  } catch (error) {
    if (!isAssayError(error)) throw error
    return { reason: error.issues[0]?.msg ?? error.message }
  }
}
