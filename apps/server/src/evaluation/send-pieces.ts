import type { ServerResponse } from "node:http"
import type { JobEvent } from "@assay/schemas"
import type { FastifyReply } from "fastify"

/** Resolves when the piece has left our memory, or the connection has ended. */
function writePiece(response: ServerResponse, piece: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()))
}

/**
 * Sends pieces as fast as the client takes them. An error before the first piece gets its own status. A later error breaks the
 * connection, so that the client knows that the body is incomplete.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array | string>,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  const response = reply.raw
  reply.hijack()
  response.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers })
  try {
    for (let next = first; next.done !== true && !response.destroyed; next = await iterator.next()) {
      await writePiece(response, next.value)
    }
    response.end()
  } catch (error) {
    reply.log.error({ request: reply.request.id, err: error }, "a response failed before its end")
    response.destroy()
  } finally {
    await iterator.return?.()
  }
  return reply
}

export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Stops proxies that would collect the whole response before they pass it on.
  "x-accel-buffering": "no",
} as const

const COMMENT = ": \n\n"

/** Formats events as server-sent events (WHATWG HTML §9.2). Begins with a comment, so that the client knows at once that it is connected. */
export async function* eventStream(
  events: AsyncIterable<JobEvent | undefined>,
): AsyncGenerator<string, void, undefined> {
  yield COMMENT
  for await (const event of events) {
    yield event === undefined
      ? COMMENT
      : `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
  }
}
