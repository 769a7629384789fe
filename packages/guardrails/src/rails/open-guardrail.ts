import type { GuardrailData } from "@assay/schemas"
import { checkGuardrailData } from "../configuration/check-guardrail-data.ts"
import type { Guardrail, GuardrailContext } from "../guardrail.ts"
import { checkChat } from "./check-chat.ts"
import { checkPrompt } from "./check-prompt.ts"
import { completeChat } from "./complete-chat.ts"
import { mainModelOf } from "./main-model.ts"
import { openModels } from "./open-models.ts"
import { openRails } from "./open-rails.ts"
import type { OpenedRails } from "./opened-rails.ts"
import { streamChat } from "./stream-chat.ts"

const DEFAULT_REFUSAL = "I can't help with that."
const DEFAULT_CHUNK_SIZE = 200
const DEFAULT_CONTEXT_SIZE = 50

/**
 * Opens a configuration: its prompts are parsed and its models connected once, for every text that it looks at. Close it.
 * @throws `invalid_request` for a configuration that can't work, or that asks a model without an address; `secret_not_readable`
 */
export async function openGuardrail(data: GuardrailData, context: GuardrailContext): Promise<Guardrail> {
  checkGuardrailData(data)
  const models = await openModels(data, context)
  const opened = await openOrClose()

  async function openOrClose(): Promise<OpenedRails> {
    const { refusal = DEFAULT_REFUSAL, rails } = data
    const { chunk_size = DEFAULT_CHUNK_SIZE, context_size = DEFAULT_CONTEXT_SIZE } = rails.output?.streaming ?? {}
    const setup = { models, now: context.inference.now }
    try {
      return {
        input: openRails(rails.input?.flows ?? [], data, setup),
        output: openRails(rails.output?.flows ?? [], data, setup),
        getMain: (asked) => mainModelOf(models, asked),
        refusal,
        chunkSize: chunk_size,
        contextSize: context_size,
        context,
      }
    } catch (error) {
      await models.close()
      throw error
    }
  }

  return {
    check: (chat, { signal } = {}) => checkChat(opened, chat, signal),
    complete: (chat, { signal } = {}) => completeChat(opened, chat, signal),
    stream: (chat, { signal } = {}) => streamChat(opened, chat, signal),
    checkPrompt: (text, options = {}) => checkPrompt(opened, text, options),
    close: () => models.close(),
  }
}
