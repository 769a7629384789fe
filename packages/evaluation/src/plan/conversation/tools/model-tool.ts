import { AssayError, type ConversationCall, isAssayError } from "@assay/schemas"
import { completeAdaptively, type OpenedModel, type RunParams } from "@assay/scoring"
import type { AskOptions } from "../../ask.ts"
import type { AskedModel } from "./asked-model.ts"
import type { CompiledTool } from "./compile-tools.ts"
import { type AnsweredCall, answeredCall, type ReadCall, readReply } from "./tool-answer.ts"

/** A model that plays a tool, opened. */
export interface OpenedToolModel {
  readonly asked: AskedModel
  readonly model: OpenedModel
  readonly callLimits: RunParams["callLimits"]
}

/** Characters of earlier calls that the model is shown. The last ones are kept. */
const MAX_EARLIER = 64 * 1024

interface Played {
  readonly tool: Omit<CompiledTool, "source">
  readonly call: ReadCall
  readonly state: unknown
  /** The calls of the conversation before. */
  readonly earlier: readonly ConversationCall[]
}

/** Lets a model play a tool. @throws the errors of the model */
export async function answerOfModel(
  { asked, model, callLimits }: OpenedToolModel,
  played: Played,
  { signal, onRetry, repeat }: AskOptions,
): Promise<AnsweredCall> {
  const { call, state, tool } = played
  const request = {
    messages: messagesOf(played),
    parameters: { temperature: 0, ...asked.parameters },
    ours: "temperature" in asked.parameters ? [] : ["temperature"],
  }
  const answer = await completeAdaptively(model, request, { signal, onRetry, repeat, ...callLimits }).catch(
    (error: unknown) => Promise.reject(ofTool(error, tool.name)),
  )
  const reply = readReply(withoutFence(asked.withoutReasoning(answer.text ?? "")))
  return answeredCall(call, reply, state, { tookMs: answer.latencyMs })
}

const RULE =
  'Answer with one JSON object and nothing else: {"result": …} with what the tool returns, or {"error": "…"} if it fails. ' +
  'If the call changes the state, add "set": an object of new values by their path, such as {"orders.A1": "cancelled"}. ' +
  "Keep to the state and to what earlier calls returned."

function messagesOf({ tool, call, state, earlier }: Played) {
  const { name, description, parameters } = tool
  const told = [
    "You play a tool of an assistant. You get its calls and return what the tool returns.",
    `The tool: ${name}`,
    ...(description === undefined ? [] : [`What it does: ${description}`]),
    ...(parameters === undefined ? [] : [`The JSON Schema of its arguments: ${JSON.stringify(parameters)}`]),
    RULE,
  ]
  const before = earlier.map((one) => JSON.stringify(one)).join("\n")
  const asked = [
    `The state: ${JSON.stringify(state ?? null)}`,
    ...(before === "" ? [] : [`Earlier calls, the last one at the end:\n${before.slice(-MAX_EARLIER)}`]),
    `The call: ${JSON.stringify({ name, arguments: call.args })}`,
  ]
  return [
    { role: "system", content: told.join("\n\n") },
    { role: "user", content: asked.join("\n\n") },
  ]
}

/** Returns the text inside the only code fence, if there is one: many models write JSON in it. */
function withoutFence(text: string): string {
  const [, inner] = /^\s*```(?:json)?\s*\n([^]*?)\n\s*```\s*$/.exec(text) ?? []
  return inner ?? text
}

/** Says in an error that it is not one of the target. */
function ofTool(error: unknown, name: string): unknown {
  if (!isAssayError(error)) return error
  const { code, message, context } = error
  return new AssayError(code, `The model of the tool '${name}': ${message}`, { context, cause: error })
}
