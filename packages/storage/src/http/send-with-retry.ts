import { AssayError } from "@assay/schemas"
import type { FarContext } from "../far/far-context.ts"
import { networkReason } from "./network-reason.ts"
import { retryDelay } from "./retry-delay.ts"
import type { HttpRequest, HttpResponse } from "./transport.ts"

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
 * the last attempt is answered as it is, and so is one after which the backend asks for a wait past the deadline. Only for what may be sent twice. A connection that breaks off before an answer
 * came is tried again as well.
 * @throws `upstream_failed` with the reason in words, where no answer came at all
 */
export async function sendWithRetry(
  far: FarContext,
  make: () => HttpRequest | Promise<HttpRequest>,
  { signal, attempts = ATTEMPTS }: SendOptions = {},
): Promise<HttpResponse> {
  const { deadlineMs = DEADLINE_MS } = far
  const until = far.now() + deadlineMs
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    const request = await make()
    let waitMs = 0
    try {
      const response = await far.transport(request, signal)
      if (!BUSY.has(response.status) || attempt >= attempts) return response
      waitMs = retryDelay(attempt - 1, far.random, response.headers)
      // Nobody waits so long: what the backend says now tells more than that it was late.
      if (far.now() + waitMs >= until) return response
      response.body.destroy()
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof AssayError) throw cause
      if (attempt >= attempts) throw unreachable(request, cause)
      waitMs = retryDelay(attempt - 1, far.random)
    }
    await far.sleep(waitMs, signal)
  }
}

function unreachable({ method, origin }: HttpRequest, cause: unknown): AssayError {
  const message = `No answer came from ${origin}: ${networkReason(cause)}. Check the address and that it can be reached from here.`
  return new AssayError("upstream_failed", message, { context: { method, origin }, cause })
}
