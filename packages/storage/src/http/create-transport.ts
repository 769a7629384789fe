import { withHandshakeFailures } from "@assay/schemas"
import type { Dispatcher } from "undici"
import type { HttpHeaders, Transport } from "./transport.ts"

export interface TransportOptions {
  /** Makes the connections, and decides which addresses may be dialled. Default: an agent that dials all of them. */
  readonly dispatcher?: Dispatcher
  /** Milliseconds until the first byte of an answer. Default 30,000. */
  readonly firstByteMs?: number
  /** Milliseconds that a body may be silent. Default 30,000. */
  readonly idleMs?: number
}

const CONNECT_MS = 10_000
const PATIENCE_MS = 30_000

/** A transport over undici, whose connections are kept and used again. */
export function createTransport(options: TransportOptions = {}): Transport {
  let opened: Promise<Dispatcher> | undefined
  /** Not before it is needed: a program that never leaves its machine starts without a network client. */
  const open = async (): Promise<Dispatcher> => {
    if (options.dispatcher !== undefined) return options.dispatcher
    const { Agent, buildConnector } = await import("undici")
    return new Agent({ connect: withHandshakeFailures(buildConnector({ timeout: CONNECT_MS })) })
  }
  const limits = { headersTimeout: options.firstByteMs ?? PATIENCE_MS, bodyTimeout: options.idleMs ?? PATIENCE_MS }
  return async (request, signal) => {
    const { method, origin, path, headers, body = null } = request
    opened ??= open()
    const dispatcher = await opened
    const answer = await dispatcher.request({
      ...limits,
      method,
      origin,
      path,
      headers: { ...headers },
      body,
      signal: signal ?? null,
    })
    // Whoever reads it gets the error anyway; a body that is dropped must not end the process with it.
    answer.body.on("error", () => {})
    return { status: answer.statusCode, headers: joined(answer.headers), body: answer.body }
  }
}

function joined(headers: NodeJS.Dict<string | string[]>): HttpHeaders {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) found[name] = typeof value === "string" ? value : value.join(", ")
  }
  return found
}
