import { AssayError, isAssayError } from "@assay/schemas"
import {
  networkReason,
  retryAfter,
  retryDelay,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
} from "@assay/http"
import type { RemoteContext } from "./remote-context.ts"

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
  /** Maximum number of attempts. Default 5. */
  readonly attempts?: number
}

/** Statuses of a backend that can answer the same request later. */
export const BUSY: ReadonlySet<unknown> = new Set([408, 429, 500, 502, 503, 504])
const ATTEMPTS = 5

/**
 * Maximum number of milliseconds that an operation waits for a backend, including retries. It is below a minute, after which
 * clients usually give up and would not get the reason.
 */
export const DEADLINE_MS = 40_000

/**
 * Sends the request of `make`, which is called for each attempt, until the response is not 408, 429, 500, 502, 503 or 504. A
 * connection that breaks before the response is repeated too. The response of the last attempt is returned in any case. Use it only
 * for requests that may be sent twice.
 * @throws `upstream_failed` with the reason if no response arrived; `upstream_timeout` with the last status if the deadline of the
 * operation passed during the wait for a repetition
 */
export async function sendWithRetry(
  remote: RemoteContext,
  make: () => HttpRequest | Promise<HttpRequest>,
  { signal, attempts = ATTEMPTS }: SendOptions = {},
): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    const request = await make()
    let refusal: HttpResponse | undefined
    try {
      refusal = await remote.transport(request, signal)
      if (!BUSY.has(refusal.status) || attempt >= attempts) return refusal
      refusal.body.destroy()
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof AssayError) throw cause
      if (attempt >= attempts) throw unreachable(request, cause)
    }
    try {
      await remote.sleep(remoteRetryDelay(attempt - 1, remote.random, refusal?.headers), signal)
    } catch (error) {
      if (refusal !== undefined && isAssayError(signal?.reason, "upstream_timeout")) throw tooLate(request, refusal)
      throw error
    }
  }
}

const TIMING = { firstMs: 100, maxMs: 10_000, spreadMs: 200 }
/** Maximum wait that a backend can request. */
const MAX_ASKED_MS = 60_000

/**
 * Returns the milliseconds before repetition number `repetition`, counted from 0. A wait that the backend requests in `headers` is
 * a lower bound, up to a minute.
 */
export function remoteRetryDelay(repetition: number, random: () => number, headers: HttpHeaders = {}): number {
  const askedMs = retryAfter(headers)
  return retryDelay(
    repetition,
    { ...TIMING, random },
    askedMs === undefined ? undefined : Math.min(MAX_ASKED_MS, askedMs),
  )
}

/** Creates the error with the last status of the backend, which says more than that the time is over. */
function tooLate({ method, origin }: HttpRequest, { status }: HttpResponse): AssayError {
  const message = `${origin} returned status ${status}, and the time was over before the request could be repeated.`
  return new AssayError("upstream_timeout", message, { context: { method, origin, status } })
}

function unreachable({ method, origin }: HttpRequest, cause: unknown): AssayError {
  const message = `No answer came from ${origin}: ${networkReason(cause)}. Check the address, and that it can be reached from here.`
  return new AssayError("upstream_failed", message, { context: { method, origin }, cause })
}
