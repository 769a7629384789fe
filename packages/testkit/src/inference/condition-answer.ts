import { type ConditionWords, type InferenceCondition, type Personality, conditionWords } from "./condition-words.ts"
import type { InferenceAnswer } from "./inference-request.ts"

/** The values in a server's message. */
export interface ConditionDetails {
  readonly model: string
  /** Repeated in the message, as careless servers do. */
  readonly key: string
}

/** Returns the answer of a server of this personality for a condition. */
export function conditionAnswer(
  condition: InferenceCondition,
  personality: Personality,
  { model, key }: ConditionDetails,
): InferenceAnswer {
  const words = conditionWords(condition, personality)
  const message = words.message.replaceAll("{model}", model).replaceAll("{key}", key)
  if (words.plain !== undefined) {
    return { status: words.status, headers: { "content-type": words.plain }, body: message }
  }
  // Gateways have already begun their answer when the backend fails.
  const status = personality === "gateway" ? 200 : words.status
  const body = JSON.stringify(shaped({ ...words, message }, personality))
  return { status, headers: { "content-type": "application/json" }, body }
}

/** Returns the error class that LiteLLM writes before the backend's message. */
const LITELLM_CLASSES: Readonly<Record<number, string>> = {
  401: "AuthenticationError",
  404: "NotFoundError",
  429: "RateLimitError",
  500: "InternalServerError",
  503: "ServiceUnavailableError",
}

function shaped(words: ConditionWords, personality: Personality): object {
  const { status, message, type = null, code = null, param = null, extra = {} } = words
  switch (personality) {
    case "openai":
    case "ollama":
    case "vllm":
    case "llama.cpp":
      return { error: { message, type, param, code, ...extra } }
    case "vllm-old":
      return { object: "error", message, type, param, code: status }
    case "nim":
      return { status, title: type ?? "Error", detail: message }
    case "tgi":
      return { error: message, error_type: type ?? "generation" }
    case "litellm": {
      const name = LITELLM_CLASSES[status] ?? "BadRequestError"
      return { error: { message: `litellm.${name}: ${name}: ${message}`, type: null, param, code: String(status) } }
    }
    case "fastapi":
      return { detail: param === null ? message : [{ type, loc: ["body", param], msg: message, input: null }] }
    case "gateway":
    default:
      return { error: { message, code: status, metadata: { provider_name: "remote" } }, user_id: "user-1" }
  }
}
