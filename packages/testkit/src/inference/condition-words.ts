export const PERSONALITIES = [
  "openai",
  "nim",
  "vllm",
  "vllm-old",
  "ollama",
  "llama.cpp",
  "tgi",
  "litellm",
  "fastapi",
  "gateway",
] as const

/** The server whose error bodies are imitated. */
export type Personality = (typeof PERSONALITIES)[number]

export type InferenceCondition =
  | "unauthorized"
  | "forbidden"
  | "model-not-found"
  | "route-not-found"
  | "context-overflow"
  | "rate-limited"
  | "quota-exhausted"
  | "overloaded"
  | "loading"
  | "parameter-unsupported"
  | "response-format-unsupported"
  | "out-of-memory"
  | "server-error"
  | "bad-gateway"
  | "upstream-connect-error"
  | "python-ssl-error"

/** A server's words for a condition, without the shape of its error bodies. */
export interface ConditionWords {
  readonly status: number
  readonly message: string
  readonly type?: string
  readonly code?: string | number | null
  readonly param?: string
  /** Sent unchanged with this content type, not in the server's shape. */
  readonly plain?: "text/html" | "text/plain"
  readonly extra?: Readonly<Record<string, unknown>>
}

type Words = Partial<Record<Personality, ConditionWords>> & { readonly usual: ConditionWords }

const INVALID = "invalid_request_error"

/** The words of common servers, by condition. `{model}` is the requested name. */
const WORDS: Readonly<Record<InferenceCondition, Words>> = {
  unauthorized: {
    usual: { status: 401, message: "Incorrect API key provided: {key}.", type: INVALID, code: "invalid_api_key" },
    nim: { status: 401, message: "Authentication failed", type: "Unauthorized" },
    litellm: { status: 401, message: "Authentication Error, No api key passed in.", type: "auth_error", code: "401" },
    fastapi: { status: 401, message: "Not authenticated" },
  },
  forbidden: {
    usual: { status: 403, message: "You are not allowed to sample from this model", type: INVALID, code: null },
    nim: { status: 403, message: "Authorization failed", type: "Forbidden" },
  },
  "model-not-found": {
    usual: {
      status: 404,
      message: "The model `{model}` does not exist or you do not have access to it.",
      type: INVALID,
      code: "model_not_found",
    },
    nim: { status: 404, message: "Function 'f-1': Not found for account 'a-1'", type: "Not Found" },
    vllm: { status: 404, message: "The model `{model}` does not exist.", type: "NotFoundError", code: 404 },
    "vllm-old": { status: 404, message: "The model `{model}` does not exist.", type: "NotFoundError" },
    ollama: { status: 404, message: "model '{model}' not found", type: "api_error", code: null },
    litellm: { status: 400, message: "Invalid model name passed in model={model}. Call `/v1/models`.", code: "400" },
    gateway: { status: 400, message: "{model} is not a valid model ID", code: 400 },
  },
  "route-not-found": {
    usual: { status: 404, message: "404 page not found", plain: "text/plain" },
    vllm: { status: 404, message: '{"detail":"Not Found"}', plain: "text/plain" },
    fastapi: { status: 404, message: "Not Found" },
  },
  "context-overflow": {
    usual: {
      status: 400,
      message:
        "This model's maximum context length is 4096 tokens. However, your messages resulted in 5210 tokens. Please reduce the length of the messages.",
      type: INVALID,
      param: "messages",
      code: "context_length_exceeded",
    },
    vllm: {
      status: 400,
      message:
        "You passed 5210 input tokens and requested 256 output tokens. However, the model's context length is only 4096 tokens.",
      type: "BadRequestError",
      code: 400,
    },
    "vllm-old": {
      status: 400,
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5210 tokens (4954 in the messages, 256 in the completion).",
      type: "BadRequestError",
    },
    "llama.cpp": {
      status: 400,
      message: "the request exceeds the available context size, try increasing it",
      type: "exceed_context_size_error",
      code: 400,
      extra: { n_prompt_tokens: 5210, n_ctx: 4096 },
    },
    tgi: {
      status: 422,
      message:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4954 `inputs` tokens and 256 `max_new_tokens`",
      type: "validation",
    },
  },
  "rate-limited": {
    usual: { status: 429, message: "Rate limit reached for requests", type: "requests", code: "rate_limit_exceeded" },
    nim: { status: 429, message: "Too many requests", type: "Too Many Requests" },
    tgi: { status: 429, message: "Model is overloaded", type: "overloaded" },
  },
  "quota-exhausted": {
    usual: {
      status: 429,
      message: "You exceeded your current quota, please check your plan and billing details.",
      type: "insufficient_quota",
      code: "insufficient_quota",
    },
    litellm: { status: 400, message: "Budget has been exceeded! Current cost: 10.2, Max budget: 10.0", code: "400" },
    gateway: { status: 402, message: "Insufficient credits. Add more credits to go on.", code: 402 },
  },
  overloaded: {
    usual: { status: 503, message: "The engine is currently overloaded, please try again later", type: "server_error" },
    ollama: { status: 503, message: "server busy, please try again.  maximum pending requests exceeded" },
    tgi: { status: 503, message: "unhealthy", type: "healthcheck" },
    gateway: { status: 529, message: "Overloaded", type: "overloaded_error", code: 529 },
  },
  loading: { usual: { status: 503, message: "Loading model", type: "unavailable_error", code: 503 } },
  "parameter-unsupported": {
    usual: {
      status: 400,
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      type: INVALID,
      param: "max_tokens",
      code: "unsupported_parameter",
    },
    vllm: {
      status: 400,
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'max_tokens'), 'msg': 'Extra inputs are not permitted', 'input': 5}]",
      type: "BadRequestError",
      code: 400,
    },
    fastapi: { status: 422, message: "Extra inputs are not permitted", type: "extra_forbidden", param: "max_tokens" },
  },
  "response-format-unsupported": {
    usual: {
      status: 400,
      message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
      type: INVALID,
      param: "response_format",
      code: null,
    },
    fastapi: {
      status: 422,
      message: "Extra inputs are not permitted",
      type: "extra_forbidden",
      param: "response_format",
    },
  },
  "out-of-memory": {
    usual: {
      status: 500,
      message: "model requires more system memory (9.6 GiB) than is available (7.1 GiB)",
      type: "api_error",
    },
    vllm: {
      status: 500,
      message: "EngineCore encountered an issue. See stack trace (above) for the root cause. CUDA out of memory.",
      type: "InternalServerError",
      code: 500,
    },
  },
  "server-error": { usual: { status: 500, message: "The server had an error", type: "server_error", code: null } },
  "bad-gateway": {
    usual: {
      status: 502,
      message: "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>",
      plain: "text/html",
    },
  },
  "upstream-connect-error": {
    usual: {
      status: 503,
      message:
        "upstream connect error or disconnect/reset before headers. reset reason: remote connection failure, transport failure reason: delayed connect error: 111",
      plain: "text/plain",
    },
  },
  "python-ssl-error": {
    usual: {
      status: 500,
      message:
        "HTTPSConnectionPool(host='models.internal', port=443): Max retries exceeded with url: /v1/chat/completions (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1000)')))",
    },
  },
}

export function conditionWords(condition: InferenceCondition, personality: Personality): ConditionWords {
  return WORDS[condition][personality] ?? WORDS[condition].usual
}
