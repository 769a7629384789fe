import type { GuardrailData } from "@assay/schemas"
import { checkGuardrailData } from "../configuration/check-guardrail-data.ts"
import { effectiveData, generalInstructions, MAIN } from "../configuration/effective-data.ts"
import type { Guardrail, GuardrailContext } from "../guardrail.ts"
import { checkChat, checkPrompt } from "./chat/check-chat.ts"
import { completeChat } from "./chat/complete-chat.ts"
import { mainModelOf } from "./chat/main-model.ts"
import { streamChat } from "./chat/stream-chat.ts"
import { openModels } from "./open-models.ts"
import { openRails } from "./open-rails.ts"
import { openToolRails } from "./rules/open-tool-rails.ts"
import { selectRails, type OpenedRails } from "./opened-rails.ts"

const DEFAULT_REFUSAL = "I'm sorry, I can't respond to that."
/** The message of the vendor's configurations that replaces a blocked answer. */
const REFUSAL_MESSAGE = "refuse to respond"
const DEFAULT_CHUNK_SIZE = 200
const DEFAULT_CONTEXT_SIZE = 50

/**
 * Opens a configuration: parses its prompts and opens its models once for all texts. Close it.
 * @throws `invalid_request` for a configuration that can't work, or that asks a model without a URL; `secret_not_readable`
 */
export async function openGuardrail(given: GuardrailData, context: GuardrailContext): Promise<Guardrail> {
  const warnings = checkGuardrailData(given)
  const data = effectiveData(given)
  const models = await openModels(data, context)
  const opened = await openOrClose()

  async function openOrClose(): Promise<OpenedRails> {
    const { rails, passthrough } = data
    const { refusal = data.bot_messages?.[REFUSAL_MESSAGE]?.[0] ?? DEFAULT_REFUSAL } = data
    const {
      enabled,
      chunk_size = DEFAULT_CHUNK_SIZE,
      context_size = DEFAULT_CONTEXT_SIZE,
    } = rails.output?.streaming ?? {}
    const setup = { models, checkJson: context.checkJson ?? missingCheck, now: context.inference.now }
    try {
      return {
        input: openRails(rails.input?.flows ?? [], data, setup),
        output: openRails(rails.output?.flows ?? [], data, setup),
        toolInput: openToolRails(data, "tool_input", setup),
        toolOutput: openToolRails(data, "tool_output", setup),
        mainParameters: data.models.find(({ type }) => type === MAIN)?.parameters ?? {},
        getMain: (asked) => mainModelOf(models, asked),
        inOrder: { input: rails.input?.parallel === false, output: rails.output?.parallel === false },
        instructions: passthrough === true ? null : generalInstructions(data),
        refusal,
        chunkSize: enabled === false ? Infinity : chunk_size,
        contextSize: context_size,
        context,
      }
    } catch (error) {
      await models.close()
      throw error
    }
  }

  return {
    warnings,
    check: (chat, { rails, ...options } = {}) => checkChat(selectRails(opened, rails), chat, options),
    complete: (chat, { rails, ...options } = {}) => completeChat(selectRails(opened, rails), chat, options),
    stream: (chat, { rails, ...options } = {}) => streamChat(selectRails(opened, rails), chat, options),
    checkPrompt: (text, options = {}) => checkPrompt(opened, text, options),
    close: () => models.close(),
  }
}

function missingCheck(): never {
  throw new RangeError("A rule over tools or for patterns was run in a context without `checkJson`.")
}
