import type { ChatBody } from "@assay/schemas"
import type { GuardrailContext } from "../guardrail.ts"

/** A chat completion, a chunk of one, or an event. */
export type Fields = Readonly<Record<string, unknown>>

/** The facts that the forms need to write answers. */
export type FormContext = Pick<GuardrailContext, "now" | "newId">

/** A request of one of OpenAI's APIs, as the guarded chat that it means. */
export interface FormRequest {
  readonly chat: ChatBody
  /** Converts the chat completion to the answer of the API. */
  readonly answer: (completion: Fields) => Fields
  /** Converts the chunks of the chat to those of the API. */
  readonly events: (chunks: AsyncIterable<Fields>) => AsyncIterable<Fields>
}

/** One of OpenAI's APIs. All of them are one guarded chat: only the forms of the request and of its answer differ. */
export interface ChatForm<Body> {
  /** Reads a request. @throws `invalid_request` that names what can't be done in a chat */
  readonly read: (body: Body, context: FormContext) => FormRequest
  /** Whether events have names and the last one needs no end mark. */
  readonly hasNamedEvents: boolean
}
