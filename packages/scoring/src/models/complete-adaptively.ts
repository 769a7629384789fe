import type { CallOptions, ChatAnswer, ChatRequest } from "@assay/inference"
import { isAssayError } from "@assay/schemas"
import { isTextEndpoint, promptOfMessages } from "./endpoint-format.ts"
import type { OpenedModel } from "./model-pool.ts"
import type { RecordedAnswer } from "./recording.ts"

type Parameters = NonNullable<ChatRequest["parameters"]>

export interface AdaptiveRequest extends ChatRequest {
  readonly parameters: Parameters
  /** Parameters that no user has set. They are left out if the endpoint refuses them. */
  readonly ours: readonly string[]
}

/** The options of a call, and the repeat of its row, on which a recorded answer depends. */
export interface AdaptiveOptions extends CallOptions {
  /** From 0. Default 0. */
  readonly repeat?: number | undefined
}

/**
 * Calls a model, with a text if its endpoint takes texts. If its endpoint refuses `max_tokens`, the value is sent under the newer name. If it refuses a parameter that no user
 * has set, the parameter is left out. The model pool remembers this during the job, so that later calls succeed at once. A recorded answer
 * is returned without a call.
 * @throws the errors of the client; `recording_missing` in a replay
 */
export async function completeAdaptively(
  model: OpenedModel,
  request: AdaptiveRequest,
  { repeat = 0, ...options }: AdaptiveOptions,
): Promise<RecordedAnswer> {
  const { recording, endpoint } = model
  if (recording === undefined) return adaptively(model, request, options)
  const { messages, parameters } = request
  const format = isTextEndpoint(endpoint) ? { format: endpoint.format } : {}
  const body = { messages, parameters, ...format }
  return recording.answer({ baseUrl: endpoint.url, model: endpoint.model_id, body, repeat }, () =>
    adaptively(model, request, options),
  )
}

async function adaptively(
  model: OpenedModel,
  { messages, parameters, ours }: AdaptiveRequest,
  options: CallOptions,
): Promise<ChatAnswer> {
  for (;;) {
    const sent = adapt(parameters, ours, model)
    try {
      const answer = await ask(model, { messages, parameters: sent }, options)
      if (ours.includes("response_format") && "response_format" in sent) model.taken.add("response_format")
      return answer
    } catch (error) {
      const candidates = ["max_tokens", ...ours].filter((name) => name in sent)
      const refused = refusedParameter(error, candidates, model)
      if (refused === undefined) throw error
      model.refused.add(refused)
    }
  }
}

function ask(
  { client, endpoint }: OpenedModel,
  { messages, parameters }: ChatRequest,
  options: CallOptions,
): Promise<ChatAnswer> {
  if (!isTextEndpoint(endpoint)) return client.complete({ messages, parameters: parameters ?? {} }, options)
  return client.completeText({ prompt: promptOfMessages(messages), parameters: parameters ?? {} }, options)
}

/** Returns the parameters that the endpoint accepts. A value of null is not sent. */
function adapt(parameters: Parameters, ours: readonly string[], { refused }: OpenedModel): Parameters {
  const sent: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) continue
    if (name === "max_tokens" && refused.has(name)) sent["max_completion_tokens"] = value
    else if (!refused.has(name) || !ours.includes(name)) sent[name] = value
  }
  return sent
}

/** Words in a refusal, by the parameter that they mean. */
const SIGNS: ReadonlyMap<string, RegExp> = new Map([
  ["response_format", /response_format|json_schema|guided|structured/i],
  ["max_tokens", /max_tokens/i],
  ["temperature", /temperature/i],
  ["top_logprobs", /top_logprobs/i],
  ["logprobs", /(?<!top_)logprobs/i],
])

/** Returns the parameter that an error refuses; undefined for any other error. */
function refusedParameter(error: unknown, candidates: readonly string[], { taken }: OpenedModel): string | undefined {
  if (!isAssayError(error)) return undefined
  const { parameter, body, status } = error.context
  const isNamed = error.code === "parameter_unsupported"
  if (isNamed) {
    const words = JSON.stringify([parameter, body, error.message])
    const named = candidates.find((name) => SIGNS.get(name)?.test(words) === true)
    if (named !== undefined) return named
  }
  // Some servers respond with a plain 400. Then the schema is the reason, unless the endpoint has accepted one before.
  const isPlain = error.code === "bad_response" && (status === 400 || status === 422)
  const mayBeSchema = (isNamed || isPlain) && !taken.has("response_format")
  return mayBeSchema ? candidates.find((name) => name === "response_format") : undefined
}
