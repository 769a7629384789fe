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
 * for as long as the job runs, so that one call at the most is lost for each.
 * @throws as the client
 */
export async function completeAdaptively(
  model: OpenedModel,
  { messages, parameters, ours }: AdaptiveRequest,
  options: CallOptions,
): Promise<ChatAnswer> {
  for (;;) {
    const sent = adapt(parameters, model.refused)
    try {
      return await model.client.complete({ messages, parameters: sent }, options)
    } catch (error) {
      const refused = refusedParameter(error, sent, ours)
      if (refused === undefined) throw error
      model.refused.add(refused)
    }
  }
}

/** Null as a value means: don't send it. */
function adapt(parameters: Parameters, refused: ReadonlySet<string>): Parameters {
  const sent: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) continue
    if (!refused.has(name)) sent[name] = value
    else if (name === "max_tokens") sent["max_completion_tokens"] = value
  }
  return sent
}

const SIGNS: Readonly<Record<string, RegExp>> = {
  response_format: /response_format|json_schema|guided|structured/i,
  max_tokens: /max_tokens/i,
  temperature: /temperature/i,
}

function refusedParameter(error: unknown, sent: Parameters, ours: readonly string[]): string | undefined {
  if (!isAssayError(error)) return undefined
  const { status } = error.context
  const isPlain = error.code === "bad_response" && (status === 400 || status === 422)
  const candidates = ["max_tokens", ...ours].filter((name) => name in sent)
  if (error.code === "parameter_unsupported") {
    const words = JSON.stringify([error.context["parameter"], error.context["body"], error.message])
    const named = candidates.find((name) => SIGNS[name]?.test(words) === true)
    if (named !== undefined) return named
  }
  // Some servers have no word for it, and answer a plain 400 to a schema.
  const mayBeSchema = error.code === "parameter_unsupported" || isPlain
  return mayBeSchema ? candidates.find((name) => name === "response_format") : undefined
}
