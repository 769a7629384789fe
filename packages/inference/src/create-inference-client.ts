import { parseAnswer } from "./answers/completion-body.ts"
import { readChatAnswer } from "./answers/read-chat-answer.ts"
import { readChunks } from "./answers/read-chunks.ts"
import { readCompletion } from "./answers/read-completion.ts"
import { type EmbeddingAnswer, readEmbeddings } from "./answers/read-embeddings.ts"
import { beginStream, readStream } from "./answers/read-stream.ts"
import { classifyFailure } from "./failures/classify-failure.ts"
import { explainFailure } from "./failures/explain-failure.ts"
import { inferenceError } from "./failures/inference-error.ts"
import { recordFailure } from "./failures/failure.ts"
import type { CallOptions, ChatAnswer, ChatRequest, InferenceClient, TextRequest } from "./inference-client.ts"
import type { InferenceContext } from "./inference-context.ts"
import type { InferenceEndpoint } from "./inference-endpoint.ts"
import { callWithRetry, type RetrySettings } from "./retry/call-with-retry.ts"
import { traceClient } from "./tracing/trace-client.ts"
import { openConnection, type Connection } from "./transport/open-connection.ts"

export interface InferenceDefaults {
  /** Maximum number of milliseconds until an answer. Default 60,000. */
  readonly timeoutMs?: number
  /** Maximum number of attempts after the first. Default 3. */
  readonly maxRetries?: number
  /** Maximum number of milliseconds that a call waits for rate limits in total. Default 0: a rate-limited attempt counts like any other. */
  readonly maxRateLimitWaitMs?: number
}

const CHAT = { method: "POST", path: "/chat/completions" } as const
const TEXT = { method: "POST", path: "/completions" } as const
const EMBEDDINGS = { method: "POST", path: "/embeddings" } as const

interface Asked {
  readonly model?: string
  readonly isText?: boolean
}

type Api = typeof CHAT | typeof TEXT

/** Creates a client for one model. Nothing is loaded, checked or connected before its first call. */
export function createInferenceClient(
  endpoint: InferenceEndpoint,
  context: InferenceContext,
  defaults: InferenceDefaults = {},
): InferenceClient {
  const client = createUntracedClient(endpoint, context, defaults)
  const { telemetry, now } = context
  return telemetry === undefined ? client : traceClient(client, endpoint, { telemetry, now })
}

/** The parts of a client that its calls share. */
interface ClientParts {
  readonly endpoint: InferenceEndpoint
  readonly context: InferenceContext
  readonly defaults: InferenceDefaults
  readonly secrets: readonly string[]
  /** Opens the connection with the first call. */
  readonly open: () => Promise<Connection>
}

function createUntracedClient(
  endpoint: InferenceEndpoint,
  context: InferenceContext,
  defaults: InferenceDefaults,
): InferenceClient {
  const { model } = endpoint
  let opening: Promise<Connection> | undefined
  const open = () => (opening ??= openConnection(endpoint, context))
  const parts: ClientParts = { endpoint, context, defaults, secrets: secretsOf(endpoint), open }

  return {
    complete: (request, options = {}) => ask(parts, CHAT, chatBody(model, request, false), withModel(options, request)),

    completeText: (request, options = {}) => ask(parts, TEXT, textBody(model, request), { ...options, isText: true }),

    embed: (texts, options = {}) => embed(parts, texts, options),

    stream: (request, options = {}) => streamChat(parts, request, options),

    async listModels(options = {}) {
      options.signal?.throwIfAborted()
      return listModels(parts, await open(), options)
    },

    async close() {
      const connection = await opening?.catch(() => undefined)
      await connection?.dispatcher.destroy()
    },
  }
}

function settingsOf(
  parts: ClientParts,
  connection: Connection,
  options: CallOptions & Asked,
  isStreamed = false,
): RetrySettings {
  const { endpoint, context, defaults, secrets } = parts
  const { signal, onRetry, traceparent, isText = false } = options
  const list = (signal: AbortSignal) => listModels(parts, connection, { signal, maxRetries: 0, maxRateLimitWaitMs: 0 })
  return {
    connection,
    context,
    model: options.model ?? endpoint.model,
    hasKey: secrets.length > 0,
    secrets,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs ?? 60_000,
    maxRetries: options.maxRetries ?? defaults.maxRetries ?? 3,
    maxRateLimitWaitMs: options.maxRateLimitWaitMs ?? defaults.maxRateLimitWaitMs ?? 0,
    maxRetryAfterMs: options.maxRetryAfterMs,
    signal,
    onRetry,
    isStreamed,
    isText,
    traceparent,
    explain: (failure, record) => explainFailure(failure, record, { connection, listModels: list, signal }),
  }
}

async function listModels(
  parts: ClientParts,
  connection: Connection,
  options: CallOptions,
): Promise<readonly string[]> {
  const settings = settingsOf(parts, connection, options)
  const plain: RetrySettings = { ...settings, explain: (failure) => Promise.resolve(failure) }
  const { value } = await callWithRetry(plain, async (exchange) => {
    const names = modelNames(
      parseAnswer(await connection.request({ method: "GET", path: "/models", body: null, exchange })),
    )
    if (names === undefined) throw new Error("The answer is not a list of models.")
    return names
  })
  return value
}

async function ask(parts: ClientParts, api: Api, body: object, options: CallOptions & Asked): Promise<ChatAnswer> {
  const { context } = parts
  const started = context.now()
  options.signal?.throwIfAborted()
  const connection = await parts.open()
  const calling = settingsOf(parts, connection, options)
  const { value, attempts, heldMs } = await callWithRetry(calling, async (exchange) => {
    const text = JSON.stringify(body)
    exchange.onSent = () => context.meter?.sent(calling.model)
    return readCompletion(await connection.request({ ...api, body: text, exchange }))
  })
  const took = { latencyMs: context.now() - started - heldMs, attempts }
  const answer = readChatAnswer(value, took, { repeatsPrompt: "echo" in body && body.echo === true })
  context.meter?.answered(calling.model, answer.usage)
  return answer
}

async function embed(parts: ClientParts, texts: readonly string[], options: CallOptions): Promise<EmbeddingAnswer> {
  const { context, endpoint } = parts
  options.signal?.throwIfAborted()
  const connection = await parts.open()
  const calling = settingsOf(parts, connection, { ...options, isText: true })
  const body = JSON.stringify({ model: endpoint.model, input: texts, encoding_format: "float" })
  const { value } = await callWithRetry(calling, async (exchange) => {
    exchange.onSent = () => context.meter?.sent(calling.model)
    return readEmbeddings(await connection.request({ ...EMBEDDINGS, body, exchange }), texts.length)
  })
  context.meter?.answered(calling.model, value.usage)
  return value
}

async function* streamChat(
  parts: ClientParts,
  request: ChatRequest,
  options: CallOptions,
): ReturnType<InferenceClient["stream"]> {
  options.signal?.throwIfAborted()
  const connection = await parts.open()
  const body = chatBody(parts.endpoint.model, request, true)
  const streaming = settingsOf(parts, connection, withModel(options, request), true)
  const { value, exchange } = await callWithRetry(streaming, async (exchange) => {
    const text = JSON.stringify(body)
    return beginStream(readChunks(await connection.stream({ ...CHAT, body: text, exchange })))
  })
  try {
    yield* readStream(value, exchange)
  } catch (error) {
    options.signal?.throwIfAborted()
    const record = recordFailure(connection, exchange, error, streaming)
    throw inferenceError(classifyFailure(record), record, parts.secrets)
  } finally {
    exchange.deadline.cancel()
    value.rest.return?.().catch(() => {})
  }
}

function chatBody(own: string, { messages, parameters, model = own }: ChatRequest, stream: boolean): object {
  return { ...parameters, model, messages, stream }
}

function textBody(model: string, { prompt, parameters }: TextRequest): object {
  return { ...parameters, model, prompt, stream: false }
}

/** Adds the model of the request, which errors name. */
function withModel(options: CallOptions, { model }: ChatRequest): CallOptions & Asked {
  return model === undefined ? options : { ...options, model }
}

function secretsOf({ apiKey }: InferenceEndpoint): readonly string[] {
  const key = apiKey?.trim() ?? ""
  return key === "" ? [] : [key]
}

/** Returns the names in a list of models: `{data: [{id}]}`, or `{models: [{name}]}` of some servers. Undefined: not a list. */
function modelNames(answer: unknown): readonly string[] | undefined {
  const { data, models } = (typeof answer === "object" && answer !== null ? answer : {}) as {
    data?: unknown
    models?: unknown
  }
  const list = Array.isArray(data) ? data : models
  if (!Array.isArray(list)) return undefined
  return list
    .map((one: { id?: unknown; name?: unknown } | null) => one?.id ?? one?.name)
    .filter((name) => typeof name === "string")
}
