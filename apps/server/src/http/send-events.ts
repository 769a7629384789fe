import { EVENT_HEADERS, writeEvents } from "@assay/http/node"
import type { FastifyReply } from "fastify"
import { logServerError } from "../errors/error-handler.ts"
import { toAssayError } from "../errors/error-response.ts"
import { openAiError } from "../errors/openai-error.ts"

/**
 * Sends the chunks of a chat completion as server-sent events, as fast as the client reads, with `[DONE]` at the end, or
 * events with names, which need no end mark. An
 * error before the first chunk gets its own status. A later error is sent as an event with `error`, which ends the stream:
 * clients of chat completions recognise an incomplete stream by it.
 */
export async function sendEvents(
  reply: FastifyReply,
  chunks: AsyncIterable<Readonly<Record<string, unknown>>>,
  { hasNamedEvents = false }: { readonly hasNamedEvents?: boolean } = {},
): Promise<FastifyReply> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  reply.hijack()
  reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...EVENT_HEADERS })
  const failed = (error: unknown, sent: number) => errorEvent(error, reply, hasNamedEvents ? sent : undefined)
  await writeEvents(reply.raw, { first, rest: iterator, errorEvent: failed, hasNamedEvents })
  return reply
}

/** Writes the event of a failure. A named one has its number, and repeats the error beside `error`: clients read either. */
function errorEvent(failure: unknown, { request }: FastifyReply, sequenceNumber: number | undefined) {
  const fault = toAssayError(failure)
  logServerError(fault, request)
  const error = openAiError(fault, fault.status)
  if (sequenceNumber === undefined) return { error }
  const { code, message, param } = error
  return { type: "error", code, message, param, error, sequence_number: sequenceNumber }
}
