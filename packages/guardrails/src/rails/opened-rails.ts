import { invalidRequest, type ChatBody, type RailPlace } from "@assay/schemas"
import type { GuardrailContext, RailSelection } from "../guardrail.ts"
import type { OpenModel } from "./open-models.ts"
import type { Rail } from "./rail.ts"
import { declaredTools, type DeclaredTools } from "./rules/declared-tools.ts"
import type { ToolRail } from "./rules/rule.ts"

/** The rails and the model of a guardrail, which all its operations share. */
export interface OpenedRails {
  readonly input: readonly Rail[]
  readonly output: readonly Rail[]
  /** The rules for results of tools in a request, and for calls of tools in an answer. They run one after the other. */
  readonly toolInput: readonly ToolRail[]
  readonly toolOutput: readonly ToolRail[]
  /** The parameters of the model of the chat, which can declare tools. */
  readonly mainParameters: Readonly<Record<string, unknown>>
  /** Returns the model for a chat that names `asked`, or no model. @throws `invalid_request` if there is no model to ask */
  readonly getMain: (asked: string | undefined) => OpenModel
  /** Whether the rails of a direction run one after the other. */
  readonly inOrder: Readonly<Record<"input" | "output", boolean>>
  /** The system message that starts every chat. Null: there is none. */
  readonly instructions: string | null
  readonly refusal: string
  /** Number of characters of streamed text that are judged together. */
  readonly chunkSize: number
  /** Number of characters before them that the judge sees again. */
  readonly contextSize: number
  readonly context: GuardrailContext
}

/** Returns whether rails judge answers, so that nothing of an answer may pass that no rail saw. */
export function judgesAnswers({ output, toolOutput }: Pick<OpenedRails, "output" | "toolOutput">): boolean {
  return output.length + toolOutput.length > 0
}

/** Returns the tools that the model of a chat may call: those of the request, else those of the configuration. */
export function toolsOf({ mainParameters }: Pick<OpenedRails, "mainParameters">, chat: ChatBody): DeclaredTools {
  return declaredTools({ ...mainParameters, ...chat })
}

/**
 * Creates the request to the model of the chat: the parameters of the configuration, overridden by those of the chat.
 * @throws `invalid_request` if more than one answer is requested and output rails have to judge it
 */
export function mainRequest(opened: OpenedRails, main: OpenModel, chat: ChatBody) {
  const { messages, model: _asked, stream: _stream, ...parameters } = chat
  const { n } = parameters
  if (judgesAnswers(opened) && n !== undefined && n !== null && n !== 1) {
    throw invalidRequest(["body", "n"], "must be 1 where output rails judge the answer", "one_answer", n)
  }
  const own = Object.entries(main.parameters).filter(([, value]) => value !== null)
  return {
    messages: withInstructions(messages, opened.instructions),
    model: main.model,
    parameters: { ...Object.fromEntries(own), ...parameters },
  }
}

/** Adds the instructions to the chat: to its own system message if it starts with one, since many models accept only one. */
function withInstructions(messages: ChatBody["messages"], instructions: string | null): ChatBody["messages"] {
  if (instructions === null) return messages
  const [first, ...others] = messages
  if (first?.role !== "system" || typeof first.content !== "string") {
    return [{ role: "system", content: instructions }, ...messages]
  }
  return [{ ...first, content: `${instructions.trimEnd()}\n\n${first.content}` }, ...others]
}

/** Returns the opened rails with only those that a request selects. */
export function selectRails(opened: OpenedRails, selection: RailSelection | undefined): OpenedRails {
  if (selection === undefined) return opened
  const { input, output, toolInput, toolOutput } = opened
  const all = { input, output, tool_input: toolInput, tool_output: toolOutput }
  const missing = (selection.required ?? []).find((place) => all[place].length === 0)
  if (missing !== undefined) {
    const msg = `asks for rails of ${missing}, and the configuration has none, so nothing would be checked`
    throw invalidRequest(["body", "guardrails", "rail_types"], msg, "no_rails", missing)
  }
  return {
    ...opened,
    input: selected(input, selection, "input"),
    output: selected(output, selection, "output"),
    toolInput: selected(toolInput, selection, "tool_input"),
    toolOutput: selected(toolOutput, selection, "tool_output"),
  }
}

function selected<R extends { readonly name: string }>(
  rails: readonly R[],
  selection: RailSelection,
  place: RailPlace,
): readonly R[] {
  const chosen = selection[place] ?? true
  if (typeof chosen === "boolean") return chosen ? rails : []
  checkNames(chosen, rails, place)
  return rails.filter(({ name }) => chosen.includes(name))
}

/**
 * Checks the selected flows. @throws `invalid_request` for a flow that the configuration does not have, since its rail would be
 * skipped silently
 */
function checkNames(chosen: readonly string[], rails: readonly { readonly name: string }[], place: RailPlace): void {
  const unknown = chosen.find((flow) => !rails.some(({ name }) => name === flow))
  if (unknown === undefined) return
  const names = rails.map(({ name }) => `'${name}'`).join(", ") || "none"
  const msg = `'${unknown}' is not one of the ${place} flows of this configuration, which are: ${names}`
  throw invalidRequest(["body", "guardrails", "options", "rails", place], msg, "unknown_flow", unknown)
}
