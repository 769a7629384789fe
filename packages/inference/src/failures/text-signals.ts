import type { InferenceErrorCode } from "./failure.ts"

/** Words by which a condition shows in a server's message, its error code or its type. */
export interface TextSignal {
  readonly code: InferenceErrorCode
  readonly pattern: RegExp
}

/** What Python services say when the endpoint behind them fails. */
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

/** What servers of chat completions say. Order matters: the first that fits counts. */
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

/** The condition that a text tells of, by the first signal that fits. */
export function firstSignal(text: string, signals: readonly TextSignal[]): InferenceErrorCode | undefined {
  return signals.find(({ pattern }) => pattern.test(text))?.code
}

/** Longer lines are read to here, so that a hostile one costs no more. */
const MAX_LINE = 16_384

/**
 * The condition that a line of a Python service's log tells of, or undefined. Text is the last thing to go by: a status or
 * an error code that is at hand says more.
 */
export function classifyText(text: string): InferenceErrorCode | undefined {
  return firstSignal(text.slice(0, MAX_LINE), [...PYTHON_SIGNALS, ...SERVER_SIGNALS])
}
