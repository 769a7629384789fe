import type { ServerResponse } from "node:http"
import { boundText } from "@assay/schemas"
import type { FastifyReply } from "fastify"
import { logServerError } from "../errors/error-handler.ts"
import { toAssayError } from "../errors/error-response.ts"

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Tells proxies not to buffer the response.
  "x-accel-buffering": "no",
} as const

/** Resolves when the text has left our memory or the connection has ended. */
function writeText(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => response.write(text, () => resolve()))
}

const eventOf = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

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
  const response = reply.raw
  reply.hijack()
  response.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
  try {
    for (let next = first; next.done !== true && !response.destroyed; next = await iterator.next()) {
      await writeText(response, eventOf(next.value))
    }
    if (!response.destroyed) await writeText(response, "data: [DONE]\n\n")
  } catch (error) {
    if (!response.destroyed) await writeText(response, errorEvent(error, reply))
  } finally {
    await iterator.return?.()
    response.end()
  }
  return reply
}

function errorEvent(error: unknown, { request }: FastifyReply): string {
  const fault = toAssayError(error)
  logServerError(fault, request)
  const { code, message } = fault
  return eventOf({ error: { message: boundText(message), type: code, code } })
}
