import { AssayError, isAssayError } from "@assay/schemas"
import { networkReason, retryAfter, retryDelay, type HttpHeaders, type HttpRequest, type HttpResponse } from "@assay/http"
import type { RemoteContext } from "./remote-context.ts"

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
  /** How often the request is sent in all. Default 4. */
  readonly attempts?: number
}

const BUSY = new Set([408, 429, 500, 502, 503, 504])
const ATTEMPTS = 4

/**
 * Longest time that an operation waits for a backend, retries included. Clients usually give up after a minute, and would
 * never learn why.
 */
export const DEADLINE_MS = 40_000

/**
 * Sends what `make` makes, anew for each attempt, until an answer comes that is not 408, 429 or a failure of the server;
 * the last attempt is answered as it is. Only for what may be sent twice. A connection that breaks off before an answer
 * came is tried again as well.
 * @throws `upstream_failed` with the reason in words, where no answer came at all; `upstream_timeout` with the last status,
 * where the deadline of the operation came while a repetition was waited for
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

const TIMING = { firstMs: 200, maxMs: 10_000, spreadMs: 200 }
/** Maximum wait that a backend can ask for. */
const MAX_ASKED_MS = 60_000

/**
 * Returns the milliseconds before repetition number `repetition`, counted from 0. A wait that the backend asks for in `headers` is
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

/** What the backend said last tells more than that the time is over. */
function tooLate({ method, origin }: HttpRequest, { status }: HttpResponse): AssayError {
  const message = `${origin} answered with status ${status}, and the time was over before it could be asked again.`
  return new AssayError("upstream_timeout", message, { context: { method, origin, status } })
}

function unreachable({ method, origin }: HttpRequest, cause: unknown): AssayError {
  const message = `No answer came from ${origin}: ${networkReason(cause)}. Check the address and that it can be reached from here.`
  return new AssayError("upstream_failed", message, { context: { method, origin }, cause })
}
