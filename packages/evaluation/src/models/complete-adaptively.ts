import type { CallOptions, ChatAnswer, ChatRequest } from "@assay/inference"
import { isAssayError } from "@assay/schemas"
import type { OpenedModel } from "./model-pool.ts"

type Parameters = NonNullable<ChatRequest["parameters"]>

export interface AdaptiveRequest extends ChatRequest {
  readonly parameters: Parameters
  /** Parameters of ours, which nobody asked for by name: left out where the endpoint refuses them. */
  readonly ours: readonly string[]
}

/**
 * Asks a model. Where its endpoint refuses `max_tokens` it is sent under its newer name, and what is ours is left out: remembered
 * for as long as the job runs, so that no more calls are lost than were on their way.
 * @throws as the client
 */
export async function completeAdaptively(
  model: OpenedModel,
  { messages, parameters, ours }: AdaptiveRequest,
  options: CallOptions,
): Promise<ChatAnswer> {
  for (;;) {
    const sent = adapt(parameters, ours, model)
    try {
      const answer = await model.client.complete({ messages, parameters: sent }, options)
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

/** Null as a value means: don't send it. */
function adapt(parameters: Parameters, ours: readonly string[], { refused }: OpenedModel): Parameters {
  const sent: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) continue
    if (name === "max_tokens" && refused.has(name)) sent["max_completion_tokens"] = value
    else if (!refused.has(name) || !ours.includes(name)) sent[name] = value
  }
  return sent
}

const SIGNS: ReadonlyMap<string, RegExp> = new Map([
  ["response_format", /response_format|json_schema|guided|structured/i],
  ["max_tokens", /max_tokens/i],
  ["temperature", /temperature/i],
])

/** Which of the parameters an endpoint refuses with `error`; undefined where it is none of them, or not that. */
function refusedParameter(error: unknown, candidates: readonly string[], { taken }: OpenedModel): string | undefined {
  if (!isAssayError(error)) return undefined
  const { parameter, body, status } = error.context
  const isNamed = error.code === "parameter_unsupported"
  if (isNamed) {
    const words = JSON.stringify([parameter, body, error.message])
    const named = candidates.find((name) => SIGNS.get(name)?.test(words) === true)
    if (named !== undefined) return named
  }
  // Some servers have no word for it and answer a plain 400: until a schema was taken once, it is to blame.
  const isPlain = error.code === "bad_response" && (status === 400 || status === 422)
  const mayBeSchema = (isNamed || isPlain) && !taken.has("response_format")
  return mayBeSchema ? candidates.find((name) => name === "response_format") : undefined
}
