import type { ChatMessage, TokenUsage } from "@assay/schemas"
import type { EmbeddingAnswer } from "./answers/read-embeddings.ts"

export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  /** Another model of the same endpoint. Default: the client's. */
  readonly model?: string
  /** Sent unchanged beside the messages: temperature, max_tokens, response_format, … */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** A request for the completion of a text, or of each of several. */
export interface TextRequest {
  readonly prompt: string | readonly string[]
  /** Sent unchanged beside the prompt: temperature, max_tokens, echo, logprobs, … */
  readonly parameters?: Readonly<Record<string, unknown>>
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Maximum number of milliseconds until the whole answer of one attempt; for a stream, of silence. Default: the client's. */
  readonly timeoutMs?: number | undefined
  /** Maximum number of attempts after the first. Default: the client's. */
  readonly maxRetries?: number | undefined
  /**
   * Maximum number of milliseconds that the call waits in total while the endpoint limits the rate. Rate-limited attempts
   * do not count as retries. 0: they do, and the call fails if the endpoint asks for more than a minute. Default: the client's.
   */
  readonly maxRateLimitWaitMs?: number | undefined
  /** Maximum number of milliseconds that an endpoint may ask for before another attempt; a call fails instead of waiting longer. Default 60,000. */
  readonly maxRetryAfterMs?: number | undefined
  /** Sent as the header of that name, so that the endpoint continues the trace (W3C Trace Context). Default: it is not sent. */
  readonly traceparent?: string | undefined
  /** Called after each failed attempt that will be repeated. */
  readonly onRetry?: ((retry: Retry) => void) | undefined
}

/** A failed attempt that will be repeated. */
export interface Retry {
  readonly attempt: number
  readonly waitMs: number
  readonly error: unknown
}

export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  /** The most likely tokens at this position, if the request wants them. */
  readonly top: readonly { readonly token: string; readonly logprob: number }[]
}

/** The completion of a chat or a text, read leniently. A field that is missing in the answer is null. */
export interface ChatAnswer {
  readonly text: string | null
  /** The model's reasoning, if the server returns it in a field of its own. */
  readonly reasoning: string | null
  readonly refusal: string | null
  readonly finishReason: string | null
  readonly toolCalls: readonly unknown[]
  readonly logprobs: readonly TokenLogprob[] | null
  readonly usage: TokenUsage | null
  /** Milliseconds from the start of the first attempt to the end of the answer. */
  readonly latencyMs: number
  /** Number of attempts, from 1, without rate-limited ones that were waited out. */
  readonly attempts: number
  /** The complete body as received. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Completions of chats and texts by one model at one endpoint. */
export interface InferenceClient {
  /**
   * Asks for one chat completion. If `signal` is aborted, it throws the reason.
   * @throws AssayError with a code of INFERENCE_ERRORS. Its context has `url` (without user and query), `model`, `advice`
   * (what to do, as half a sentence), `status`, `request_id`, `retry_after_ms`, `body` (the first 4 KiB, secrets removed) and
   * the facts that belong to the code.
   */
  complete(request: ChatRequest, options?: CallOptions): Promise<ChatAnswer>
  /** Asks for one completion of each text, at `/completions`. Of several, the answer has the first, and its body all. @throws the errors of `complete` */
  completeText(request: TextRequest, options?: CallOptions): Promise<ChatAnswer>
  /** Asks for the vector of each text, at `/embeddings`. @throws the errors of `complete` */
  embed(texts: readonly string[], options?: CallOptions): Promise<EmbeddingAnswer>
  /** Yields the chunks of the answer as the server wrote them. Nothing is repeated after the first chunk. */
  stream(request: ChatRequest, options?: CallOptions): AsyncIterable<Readonly<Record<string, unknown>>>
  /** Returns the names of the models that the endpoint lists. */
  listModels(options?: CallOptions): Promise<readonly string[]>
  close(): Promise<void>
}
