import { REASONING_TOKENS } from "../../configuration/plan-judge.ts"

/** Our parameters that an endpoint may refuse. The judge is then asked without them, or with their other name. */
export const ADAPTABLE_PARAMETERS = ["response_format", "max_tokens", "logprobs", "temperature"] as const
export type AdaptableParameter = (typeof ADAPTABLE_PARAMETERS)[number]

/** The known facts about the parameters that an endpoint accepts for a model. */
export interface EndpointMemory {
  readonly refused: Set<AdaptableParameter>
  /** Whether a request with a JSON schema has succeeded. */
  takesSchema: boolean
}

/** Creates the memory of endpoints, by URL and model. It lives as long as the guardrail is open. */
export function createEndpointMemories(): (url: string, model: string) => EndpointMemory {
  const memories = new Map<string, EndpointMemory>()
  return (url, model) => {
    const key = JSON.stringify([url, model])
    const memory = memories.get(key) ?? { refused: new Set(), takesSchema: false }
    memories.set(key, memory)
    return memory
  }
}

/** Token limit that is enough for a verdict with its categories. */
const VERDICT_TOKENS = 256
/** Number of alternatives to each token. Some servers refuse more than five. */
const TOP_LOGPROBS = 5

export interface JudgeParameterOptions {
  /** The `parameters` of the model. A null value means that the parameter is not sent. */
  readonly own: Readonly<Record<string, unknown>>
  /** The token limit of the prompt. */
  readonly maxTokens: number | undefined
  /** The `response_format` to request. */
  readonly schema: Readonly<Record<string, unknown>> | null
  readonly logprobs: boolean
}

/**
 * Returns the parameters of a request to a judge: temperature 0 and 256 tokens, or 2,048 tokens if `own` turns reasoning on
 * (`reasoning_effort`, `reasoning`, `thinking`, also in `chat_template_kwargs`). The prompt's `max_tokens` overrides the model's.
 */
export function judgeParameters(
  { own, maxTokens, schema, logprobs }: JudgeParameterOptions,
  { refused }: EndpointMemory,
): Readonly<Record<string, unknown>> {
  const { max_tokens, max_completion_tokens, ...others } = own
  const tokens =
    maxTokens ?? max_tokens ?? max_completion_tokens ?? (isReasoning(own) ? REASONING_TOKENS : VERDICT_TOKENS)
  const isRenamed = refused.has("max_tokens") || (max_completion_tokens ?? null) !== null
  const isUnlimited = maxTokens === undefined && max_tokens === null && max_completion_tokens === undefined
  const parameters = {
    ...(refused.has("temperature") ? {} : { temperature: 0 }),
    ...(isUnlimited ? {} : { [isRenamed ? "max_completion_tokens" : "max_tokens"]: tokens }),
    ...(schema === null || refused.has("response_format") ? {} : { response_format: schema }),
    ...(logprobs && !refused.has("logprobs") ? { logprobs: true, top_logprobs: TOP_LOGPROBS } : {}),
    ...others,
  }
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null))
}

const REASONING_KEYS = ["reasoning_effort", "reasoning", "thinking", "enable_thinking"] as const

function isReasoning(own: Readonly<Record<string, unknown>>): boolean {
  const kwargs = own["chat_template_kwargs"]
  const sources = [own, typeof kwargs === "object" && kwargs !== null ? (kwargs as Record<string, unknown>) : {}]
  return sources.some((source) => REASONING_KEYS.some((key) => isOn(source[key])))
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "none"
}
