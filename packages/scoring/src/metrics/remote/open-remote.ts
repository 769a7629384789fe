import { flatHeaders, readLimited, retryAfter } from "@assay/http"
import { decodeContent, UndecodableContent } from "@assay/http/node"
import { AnswerExcess, checkAnswerShape, createRateLimitWait, removeSecrets, retryWait } from "@assay/inference"
import { AssayError, isAssayError, type ApiEndpoint } from "@assay/schemas"
import type { Dispatcher } from "undici"
import type { ScoringContext } from "../../scoring-context.ts"
import type { CallLimits } from "../../models/run-params.ts"
import type { ScoreOptions } from "../bound-metric.ts"

interface RemoteOptions extends CallLimits {
  readonly url: URL
  /** The name of the service in messages. Default: the remote metric. */
  readonly label?: string | undefined
  /** The maximum size of an answer. Default 1 MiB. */
  readonly maxBytes?: number | undefined
  /** The reference to its key. */
  readonly endpoint: ApiEndpoint
}

/** Sends a row and returns the JSON of the answer. */
type PostRow = (body: unknown, options: ScoreOptions) => Promise<unknown>

/** A service, as messages name it. */
interface Service {
  readonly url: URL
  readonly label: string
  readonly maxBytes: number
}

const MAX_BYTES = 1024 * 1024
/** Statuses below 500 that are repeated. */
const REPEATED = new Set([408, 409, 429])

/** Opens a service, such as that of a remote metric. Its requests use the same connections as those to models. */
export async function openRemote(
  { url, endpoint, timeoutMs, maxRetries, maxRateLimitWaitMs, ...named }: RemoteOptions,
  { environment, onClose }: Pick<ScoringContext, "environment" | "onClose">,
): Promise<PostRow> {
  const { inference, resolveKey, now, random, sleep } = environment
  const service: Service = { url, label: named.label ?? "remote metric", maxBytes: named.maxBytes ?? MAX_BYTES }
  const dispatcher = inference.openDispatcher?.({}) ?? new (await import("undici")).Agent()
  onClose(() => dispatcher.destroy())
  const key =
    endpoint.api_key_secret === undefined && endpoint.api_key_env === undefined ? undefined : await resolveKey(endpoint)
  const secrets = key === undefined ? [] : [key]
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  }

  async function post(body: string, signal: AbortSignal): Promise<unknown> {
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: "POST",
        headers,
        body,
        signal: AbortSignal.any([signal, limit]),
      })
      const { text, isTruncated } = await readText(answer, service.maxBytes)
      const isSuccess = answer.statusCode >= 200 && answer.statusCode < 300
      if (!isSuccess) throw statusError(service, answer, removeSecrets(text, secrets))
      if (isTruncated)
        throw unusable(service, `is longer than ${service.maxBytes / 1024 / 1024} MiB; make the service return less`)
      return parse(text, service, secrets)
    } catch (error) {
      signal.throwIfAborted()
      throw limit.aborted ? timeoutError(service, timeoutMs) : remoteFailure(error, service)
    }
  }

  return async (row, { signal, onRetry }) => {
    const body = JSON.stringify(row)
    const rateLimit = createRateLimitWait({ maxMs: maxRateLimitWaitMs, now, random })
    for (let attempt = 0; ;) {
      try {
        return await post(body, signal)
      } catch (error) {
        signal.throwIfAborted()
        const waitsForRate = maxRateLimitWaitMs > 0 && isAssayError(error, "rate_limited")
        const waitMs = waitsForRate ? rateLimit.next(askedBy(error)) : waitBeforeTry(attempt, error)
        if (waitMs === undefined) throw error
        if (!waitsForRate) attempt += 1
        onRetry({ error, waitMs })
        await sleep(waitMs, signal)
      }
    }
  }

  /** Returns the milliseconds before the next attempt; undefined if there is none. */
  function waitBeforeTry(attempt: number, error: unknown): number | undefined {
    return attempt >= maxRetries || !isRepeatable(error) ? undefined : retryWait(attempt + 1, random, undefined)
  }
}

/** Reads the text of an answer as it unpacks, without a byte order mark, which is not part of JSON. */
async function readText(
  { headers, body }: Pick<Dispatcher.ResponseData, "headers" | "body">,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isTruncated: boolean }> {
  const encoding = flatHeaders(headers)["content-encoding"]
  const { bytes, isTruncated } = await readLimited(decodeContent(body, encoding), maxBytes)
  return { text: new TextDecoder().decode(bytes), isTruncated }
}

function askedBy({ context }: AssayError): number | undefined {
  const { retry_after_ms: asked } = context
  return typeof asked === "number" ? asked : undefined
}

function parse(text: string, service: Service, secrets: readonly string[]): unknown {
  try {
    checkAnswerShape(text)
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof AnswerExcess) throw unusable(service, `${error.message}; make the service return simpler JSON`)
    const said = removeSecrets(text, secrets).slice(0, 120)
    throw new AssayError(
      "bad_response",
      `The ${service.label} at ${shown(service)} answered something that is not JSON: '${said}'.`,
    )
  }
}

function unusable(service: Service, why: string): AssayError {
  return new AssayError("bad_response", `The answer of the ${service.label} at ${shown(service)} ${why}.`)
}

interface Refusal {
  readonly statusCode: number
  readonly headers: NodeJS.Dict<string | string[]>
}

function statusError(service: Service, { statusCode: status, headers }: Refusal, body: string): AssayError {
  const code =
    status === 401 || status === 403 ? "inference_unauthorized" : status === 429 ? "rate_limited" : "bad_response"
  const asked = retryAfter(flatHeaders(headers))
  const said = body.slice(0, 120).replaceAll(/\s+/g, " ")
  return new AssayError(code, `The ${service.label} at ${shown(service)} answered ${status}: '${said}'.`, {
    context: { status, ...(asked === undefined ? {} : { retry_after_ms: asked }) },
  })
}

function timeoutError(service: Service, timeoutMs: number): AssayError {
  return new AssayError(
    "request_timeout",
    `The ${service.label} at ${shown(service)} did not answer within ${timeoutMs / 1000} s; raise 'timeout'.`,
  )
}

function isRepeatable(error: unknown): boolean {
  if (!isAssayError(error)) return false
  const { status } = error.context
  if (typeof status === "number") return status >= 500 || REPEATED.has(status)
  return error.code === "inference_unreachable"
}

function shown({ url }: Service): string {
  return url.origin + url.pathname
}

const TLS = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/

/** Converts a failure of the connection to the service into a coded error. */
function remoteFailure(error: unknown, service: Service): AssayError {
  const { code, known } = rootOf(error)
  if (known !== undefined) return known
  if (error instanceof UndecodableContent) return unusable(service, error.message)
  const condition = TLS.test(code) ? "inference_tls" : "inference_unreachable"
  return new AssayError(
    condition,
    `The ${service.label} at ${shown(service)} can't be reached (${code}); check that it is running there.`,
    { cause: error },
  )
}

/** Finds the innermost code of an error. An AssayError among its causes, such as that of a forbidden host, takes precedence. */
function rootOf(error: unknown): { readonly code: string; readonly known: AssayError | undefined } {
  let code = "unknown"
  let current = error
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (isAssayError(current)) return { code, known: current }
    if ("code" in current && typeof current.code === "string") code = current.code
    current = current instanceof AggregateError ? current.errors[0] : current.cause
  }
  return { code, known: undefined }
}
