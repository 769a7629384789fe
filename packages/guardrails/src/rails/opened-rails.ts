import { invalidRequest, type ChatBody } from "@assay/schemas"
import type { GuardrailContext } from "../guardrail.ts"
import type { OpenModel } from "./open-models.ts"
import type { Rail } from "./rail.ts"

/** A guardrail's rails and model, as the ways to use them share them. */
export interface OpenedRails {
  readonly input: readonly Rail[]
  readonly output: readonly Rail[]
  /** The model that a chat asks which names `asked`, or none. @throws `invalid_request` where there is none to ask */
  readonly getMain: (asked: string | undefined) => OpenModel
  readonly refusal: string
  /** Characters of streamed text that are judged together. */
  readonly chunkSize: number
  /** Characters before them that the judge sees again. */
  readonly contextSize: number
  readonly context: GuardrailContext
}

/**
 * What the model of the chat is sent: the configuration's parameters, and over them those of the chat.
 * @throws `invalid_request` for more answers than one where output rails have to look at them
 */
export function mainRequest(opened: OpenedRails, main: OpenModel, chat: ChatBody) {
  const { messages, model: _asked, stream: _stream, ...parameters } = chat
  const { n } = parameters
  if (opened.output.length > 0 && n !== undefined && n !== null && n !== 1) {
    throw invalidRequest(["body", "n"], "must be 1 where output rails judge the answer", "one_answer", n)
  }
  const own = Object.entries(main.parameters).filter(([, value]) => value !== null)
  return { messages, model: main.model, parameters: { ...Object.fromEntries(own), ...parameters } }
}
