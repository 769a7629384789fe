import { invalidRequest, type ChatBody } from "@assay/schemas"
import type { GuardrailContext, RailSelection } from "../guardrail.ts"
import type { OpenModel } from "./open-models.ts"
import type { Rail } from "./rail.ts"

/** A guardrail's rails and model, as the ways to use them share them. */
export interface OpenedRails {
  readonly input: readonly Rail[]
  readonly output: readonly Rail[]
  /** The model that a chat asks which names `asked`, or none. @throws `invalid_request` where there is none to ask */
  readonly getMain: (asked: string | undefined) => OpenModel
  /** Whether rails of a place run one after the other. */
  readonly inOrder: Readonly<Record<"input" | "output", boolean>>
  /** The system message that a chat begins with; null if there is none. */
  readonly instructions: string | null
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
  return {
    messages: withInstructions(messages, opened.instructions),
    model: main.model,
    parameters: { ...Object.fromEntries(own), ...parameters },
  }
}

/** The chat with instructions in front: in its own system message, if it begins with one, since many models take only one. */
function withInstructions(messages: ChatBody["messages"], instructions: string | null): ChatBody["messages"] {
  if (instructions === null) return messages
  const [first, ...others] = messages
  if (first?.role !== "system" || typeof first.content !== "string") {
    return [{ role: "system", content: instructions }, ...messages]
  }
  return [{ ...first, content: `${instructions.trimEnd()}\n\n${first.content}` }, ...others]
}

/** The same with only the rails that a request selects. */
export function selectRails(opened: OpenedRails, selection: RailSelection | undefined): OpenedRails {
  if (selection === undefined) return opened
  const selected = (place: "input" | "output") => {
    const chosen = selection[place]
    if (typeof chosen === "boolean") return chosen ? opened[place] : []
    checkNames(chosen, opened[place], place)
    return opened[place].filter(({ name }) => chosen.includes(name))
  }
  return { ...opened, input: selected("input"), output: selected("output") }
}

/** @throws `invalid_request` for a flow that is not one of the configuration's, whose rail would be left out without a word */
function checkNames(chosen: readonly string[], rails: readonly Rail[], place: string): void {
  const unknown = chosen.find((flow) => !rails.some(({ name }) => name === flow))
  if (unknown === undefined) return
  const names = rails.map(({ name }) => `'${name}'`).join(", ") || "none"
  const msg = `'${unknown}' is none of the ${place} flows of this configuration; there are: ${names}`
  throw invalidRequest(["body", "guardrails", "options", "rails", place], msg, "unknown_flow", unknown)
}
