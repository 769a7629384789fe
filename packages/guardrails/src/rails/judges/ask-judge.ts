import type { ChatAnswer, InferenceClient } from "@assay/inference"
import { isAssayError, type ChatMessage } from "@assay/schemas"
import {
  ADAPTABLE_PARAMETERS,
  judgeParameters,
  type AdaptableParameter,
  type EndpointMemory,
  type JudgeParameterOptions,
} from "./judge-parameters.ts"

export interface AskOptions {
  readonly messages: readonly ChatMessage[]
  readonly parameters: JudgeParameterOptions
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks for one answer. If the endpoint refuses a parameter, this is remembered and the same request is repeated without it. So at
 * most one call per parameter is lost while the guardrail is open.
 */
export async function askJudge(
  client: InferenceClient,
  memory: EndpointMemory,
  { messages, parameters, signal }: AskOptions,
): Promise<ChatAnswer> {
  for (;;) {
    const sent = judgeParameters(parameters, memory)
    try {
      const answer = await client.complete({ messages, parameters: sent }, { signal })
      if (parameters.schema !== null && sent["response_format"] === parameters.schema) memory.takesSchema = true
      return answer
    } catch (error) {
      const refused = refusedParameter(error, sent, parameters.own, memory)
      if (refused === null) throw error
      memory.refused.add(refused)
    }
  }
}

const SIGNS: Readonly<Record<AdaptableParameter, RegExp>> = {
  response_format: /response_format|json_schema|guided|structured/i,
  max_tokens: /max_tokens/i,
  logprobs: /logprobs/i,
  temperature: /temperature/i,
}

/**
 * Returns which of our parameters the endpoint refused with `error`, or null if it refused none of those `sent`. Some servers
 * answer a plain 400 to a JSON schema, so until a schema has worked once, the schema is assumed to be the cause.
 */
function refusedParameter(
  error: unknown,
  sent: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
  { takesSchema }: EndpointMemory,
): AdaptableParameter | null {
  if (!isAssayError(error)) return null
  const candidates = ADAPTABLE_PARAMETERS.filter((name) => name in sent && (name === "max_tokens" || !(name in own)))
  const { parameter, body, status } = error.context
  if (error.code === "parameter_unsupported") {
    for (const text of [parameter, body, error.message]) {
      const named = candidates.find((name) => text !== undefined && SIGNS[name].test(wordsOf(text)))
      if (named !== undefined) return named
    }
  }
  const isRefusal =
    error.code === "parameter_unsupported" || (error.code === "bad_response" && (status === 400 || status === 422))
  return isRefusal && !takesSchema && candidates.includes("response_format") ? "response_format" : null
}

function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}
