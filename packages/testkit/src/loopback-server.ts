import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface LoopbackServer {
  /** Without a slash at its end. */
  readonly url: string
  /** Every complete request, in order. */
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/** Answers one request, or closes its connection with `request.raw.socket.destroy()`. */
export type LoopbackHandler = (
  request: RecordedRequest & { readonly raw: IncomingMessage },
  response: ServerResponse,
) => void | Promise<void>

/** Starts a real HTTP server on a free port of 127.0.0.1. `handle` answers, and requests are recorded. */
export async function startLoopbackServer(handle: LoopbackHandler): Promise<LoopbackServer> {
  const requests: RecordedRequest[] = []

  async function answer(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of raw) pieces.push(piece as Buffer)
    const { method = "", url = "", headers } = raw
    const request = { method, url, headers, body: Buffer.concat(pieces) }
    requests.push(request)
    await handle({ ...request, raw }, response)
  }

  const server = createServer((raw, response) => {
    answer(raw, response).catch(() => raw.socket.destroy())
  })
  // A client on a busy machine must not lose its idle connection while it sends.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
