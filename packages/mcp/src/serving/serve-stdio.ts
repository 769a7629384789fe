import type { Readable, Writable } from "node:stream"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { createProtocolServer, type ProtocolOptions } from "./create-protocol-server.ts"

export interface StdioOptions extends ProtocolOptions {
  readonly stdin: Readable
  readonly stdout: Writable
  /** Receives faults of messages, which the client also gets. */
  readonly onError: (error: Error) => void
  /** Ends the connection. */
  readonly signal: AbortSignal
}

/** A larger message closes the connection. */
const MAX_MESSAGE_BYTES = 4_194_304

/** Serves the protocol over a pair of streams, a message on each line, until the client closes its stream. */
export async function serveOverStdio(options: StdioOptions): Promise<void> {
  const { stdin, stdout, onError, signal } = options
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  const ended = Promise.withResolvers<undefined>()
  const end = () => ended.resolve(undefined)
  for (const event of ["end", "close", "error"]) stdin.once(event, end)
  signal.addEventListener("abort", end, { once: true })
  const connection = serveStdio(() => createProtocolServer(options), { transport, onerror: onError })
  await ended.promise
  await connection.close()
}
