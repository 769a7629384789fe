import { PassThrough, type Readable, type Writable } from "node:stream"
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
  // The transport never ends with a stream of texts, as some callers pass one.
  const bytes = stdin.pipe(new PassThrough())
  const transport = new StdioServerTransport(bytes, stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  const ended = Promise.withResolvers<undefined>()
  const end = () => ended.resolve(undefined)
  bytes.once("end", end)
  stdin.once("error", end)
  // A stream that is cut has no end.
  stdin.once("close", () => (stdin.readableEnded ? undefined : end()))
  signal.addEventListener("abort", end, { once: true })
  const connection = serveStdio(() => createProtocolServer(options), { transport, onerror: onError })
  // The transport also closes by itself, after a message that is too large.
  const closed = transport.onclose
  const close = () => {
    closed?.()
    end()
  }
  Object.assign(transport, { onclose: close })
  await ended.promise
  await connection.close()
}
