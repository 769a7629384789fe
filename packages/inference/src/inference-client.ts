import type { ChatMessage, TokenUsage } from "@assay/schemas"

export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  /** Another model of the same endpoint. Default: the client's. */
  readonly model?: string
  /** Sent beside the messages as they are: temperature, max_tokens, response_format, … */
  readonly parameters?: Readonly<Record<string, unknown>>
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Longest wait for the whole answer of one try, of a stream its longest silence, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number
  /** Tries after the first. Default: the client's. */
  readonly maxRetries?: number
  /**
   * Longest time in all that the call waits while the endpoint limits the rate, in milliseconds; such tries count as no
   * retries. 0: they do, and a wait of more than a minute is not waited for. Default: the client's.
   */
  readonly maxRateLimitWaitMs?: number
  /** Told of each try that failed and will be repeated. */
  readonly onRetry?: (retry: Retry) => void
}

/** A try that failed, before the next one. */
export interface Retry {
  readonly attempt: number
  readonly waitMs: number
  readonly error: unknown
}

export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  /** The likeliest tokens at this place, if the request asked for them. */
  readonly top: readonly { readonly token: string; readonly logprob: number }[]
}

/** A chat completion, read leniently. What is missing in the answer is null. */
export interface ChatAnswer {
  readonly text: string | null
  /** What the model thought aloud, where the server gives it apart. */
  readonly reasoning: string | null
  readonly refusal: string | null
  readonly finishReason: string | null
  readonly toolCalls: readonly unknown[]
  readonly logprobs: readonly TokenLogprob[] | null
  readonly usage: TokenUsage | null
  /** From the first try's start to the last answer's end. */
  readonly latencyMs: number
  /** Tries it took, from 1, without those that waited for a rate limit. */
  readonly attempts: number
  /** The whole body as it came. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Chat completions of one model at one endpoint. */
export interface InferenceClient {
  /**
   * @throws AssayError with a code of INFERENCE_ERRORS; its context has `url` (without user and query), `model`,
   * `advice` (what to do, as half a sentence), `status`, `request_id`, `retry_after_ms`, `body` (the first 4 KiB, secrets removed) and what the code calls for.
   * An aborted `signal` throws its reason.
   */
  complete(request: ChatRequest, options?: CallOptions): Promise<ChatAnswer>
  /** The answer's chunks as they come, each as the server wrote it. Not tried again once the first has come. */
  stream(request: ChatRequest, options?: CallOptions): AsyncIterable<Readonly<Record<string, unknown>>>
  /** Names of the models that the endpoint has. */
  listModels(options?: CallOptions): Promise<readonly string[]>
  close(): Promise<void>
}
