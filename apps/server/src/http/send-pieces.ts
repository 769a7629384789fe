import { writePieces } from "@assay/http/node"
import type { FastifyReply } from "fastify"

/**
 * Sends pieces as fast as the client takes them. An error before the first piece gets its own status. A later error breaks the
 * connection, so that the client knows that the body is incomplete.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array | string>,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const rest = pieces[Symbol.asyncIterator]()
  const first = await rest.next()
  reply.hijack()
  reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers })
  const failed = (error: unknown) =>
    reply.log.error({ request: reply.request.id, err: error }, "a response failed before its end")
  await writePieces(reply.raw, { first, rest, failed })
  return reply
}
