// Entry of `@assay/http/node`. It loads nothing of Node until its first request.
import type { Dispatcher } from "undici"
import { flatHeaders, type Transport } from "./transport.ts"

export interface TransportOptions {
  /** Makes the connections, and decides which addresses may be dialled. Default: an agent that dials every address. */
  readonly dispatcher?: Dispatcher
  /** Milliseconds until the first byte of the response. Default 30,000. */
  readonly firstByteMs?: number
  /** Milliseconds that a body may be silent. Default 30,000. */
  readonly idleMs?: number
}

const SILENCE_MS = 30_000

/** Creates a transport over undici that keeps connections open and uses them again. */
export function createTransport(options: TransportOptions = {}): Transport {
  let opened: Promise<Dispatcher> | undefined
  // Loaded at the first request: a program that sends none starts faster.
  const open = async () => options.dispatcher ?? (await import("./open-agent.ts")).openAgent()
  const limits = { headersTimeout: options.firstByteMs ?? SILENCE_MS, bodyTimeout: options.idleMs ?? SILENCE_MS }
  return async (request, signal) => {
    const { method, origin, path, headers, body = null } = request
    opened ??= open()
    const dispatcher = await opened
    const response = await dispatcher.request({
      ...limits,
      method,
      origin,
      path,
      headers: { ...headers },
      body,
      signal: signal ?? null,
    })
    // The reader of the body gets the error. Without this listener, the error of an unread body would end the process.
    response.body.on("error", () => {})
    return { status: response.statusCode, headers: flatHeaders(response.headers), body: response.body }
  }
}
