import { EVENT_HEADERS, writeEvents } from "@assay/http/node"
import { boundText } from "@assay/schemas"
import type { FastifyReply } from "fastify"
import { logServerError } from "../errors/error-handler.ts"
import { toAssayError } from "../errors/error-response.ts"

/**
 * Sends the chunks of a chat completion as server-sent events, as fast as the client reads, with `[DONE]` at the end. An
 * error before the first chunk gets its own status. A later error is sent as an event with `error`, which ends the stream:
 * clients of chat completions recognise an incomplete stream by it.
 */
export async function sendEvents(
  reply: FastifyReply,
  chunks: AsyncIterable<Readonly<Record<string, unknown>>>,
): Promise<FastifyReply> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  reply.hijack()
  reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...EVENT_HEADERS })
  await writeEvents(reply.raw, { first, rest: iterator, errorEvent: (error) => errorEvent(error, reply) })
  return reply
}

function errorEvent(error: unknown, { request }: FastifyReply) {
  const fault = toAssayError(error)
  logServerError(fault, request)
  const { code, message } = fault
  return { error: { message: boundText(message), type: code, code } }
}
