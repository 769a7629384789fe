import type { InferenceErrorCode } from "./failure.ts"

/** Words in a server's message, error code or error type that show a condition. */
export interface TextSignal {
  readonly code: InferenceErrorCode
  readonly pattern: RegExp
}

/** Words of Python services whose endpoint failed. */
export const PYTHON_SIGNALS: readonly TextSignal[] = [
  {
    code: "inference_tls",
    pattern:
      /SSLError|SSLCertVerificationError|CERTIFICATE_VERIFY_FAILED|\[SSL: \w+\]|SSL routines|WRONG_VERSION_NUMBER/,
  },
  {
    code: "request_timeout",
    pattern: /ReadTimeout|APITimeoutError|Read timed out|Request timed out|asyncio\.TimeoutError/,
  },
  {
    code: "inference_unreachable",
    pattern:
      /NewConnectionError|NameResolutionError|Max retries exceeded|ConnectTimeout|Failed to establish a new connection|Temporary failure in name resolution|Name or service not known|ClientConnectorError|httpx\.ConnectError|APIConnectionError|All connection attempts failed|Connection refused/,
  },
]

/** Words of chat completion servers. The first match counts, so the order matters. */
export const SERVER_SIGNALS: readonly TextSignal[] = [
  {
    code: "quota_exhausted",
    pattern:
      /insufficient_quota|exceeded your current quota|credit balance is too low|insufficient credits|budget has been exceeded|payment required|billing_hard_limit/i,
  },
  {
    code: "parameter_unsupported",
    pattern:
      /unsupported[_ ](parameter|value)|extra inputs are not permitted|extra_forbidden|(is|are) not supported (with|by|for) this model|unrecognized request argument|unknown (field|parameter)|(response_format|json_schema|guided_\w+|structured outputs?|logprobs|logit_bias|tools?|tool_choice)\b.{0,60}\b(not supported|unsupported|not available|unavailable|not enabled|rejected)|does not support (tools|response_format|json_schema|structured|guided|logprobs)/i,
  },
  {
    code: "context_overflow",
    pattern:
      /context_length_exceeded|exceed_context_size_error|maximum context length|model's context length|context (size|window|length) (exceeded|is too small|of \d+ tokens)|exceeds? (the )?(available |maximum |model's )?context|`?inputs`? tokens \+ `?max_new_tokens|prompt is too long|ContextWindowExceeded/i,
  },
  {
    code: "server_out_of_memory",
    pattern:
      /requires more system memory|out of memory|OutOfMemoryError|EngineDeadError|engine (process|loop|core)?.{0,20}\b(is )?dead|EngineCore encountered/i,
  },
  { code: "model_loading", pattern: /loading model|model is (currently |still )?loading|model is not (yet )?ready/i },
  {
    code: "inference_unreachable",
    pattern: /upstream connect error|no healthy upstream|connect_error.{0,20}upstream/i,
  },
  {
    code: "inference_tls",
    pattern: /plain HTTP request was sent to HTTPS port|sent an HTTP request to an HTTPS server/i,
  },
  {
    code: "model_not_found",
    pattern:
      /model_not_found|the model [`'"][^`'"]*[`'"] does not exist|model [`'"]?[^`'"\s]+[`'"]? (was )?not found|not found for account|invalid model name|is not a valid model|unknown model/i,
  },
  {
    code: "inference_unauthorized",
    pattern:
      /invalid_api_key|incorrect api key|invalid api key|no api key passed|authorization failed|authentication ?(error|failed)|AuthenticationError|not authenticated|PermissionDenied/i,
  },
  { code: "server_overloaded", pattern: /server busy|maximum pending requests|currently overloaded|overloaded_error/i },
  {
    code: "rate_limited",
    pattern:
      /rate_limit_exceeded|rate limit|RateLimitError|too many requests|SlowDown|RequestLimitExceeded|\boverloaded\b/i,
  },
]

/** Returns the condition of the first signal that matches. */
export function firstSignal(text: string, signals: readonly TextSignal[]): InferenceErrorCode | undefined {
  return signals.find(({ pattern }) => pattern.test(text))?.code
}

/** How many characters of a line are read. It limits the cost of a hostile line. */
const MAX_LINE = 16_384

/**
 * Finds the condition that a log line of a Python service shows. Returns undefined if it shows none. If a status or an error
 * code is known, use that instead: it is more reliable than text.
 */
export function classifyText(text: string): InferenceErrorCode | undefined {
  return firstSignal(text.slice(0, MAX_LINE), [...PYTHON_SIGNALS, ...SERVER_SIGNALS])
}
