import type { ServerResponse } from "node:http"
import type { FastifyReply } from "fastify"

/** Writes a piece. Resolves when it has left our memory or the connection has ended. */
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
