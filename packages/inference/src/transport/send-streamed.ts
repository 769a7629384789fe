import { flatHeaders } from "@assay/http"
import type { Dispatcher } from "undici"
import { createStreamLimits } from "./answer-limits.ts"
import type { Exchange } from "./exchange.ts"
import type { SentRequest } from "./send-whole.ts"

const KEPT = 4096
const TAIL = 64

/** Sends a request and gives its answer piece by piece as it is taken. The exchange keeps the beginning and the end. */
export async function sendStreamed(
  dispatcher: Dispatcher,
  request: SentRequest,
  exchange: Exchange,
): Promise<AsyncIterable<Uint8Array>> {
  const { deadline } = exchange
  const { signal } = deadline
  const limits = { headersTimeout: 0, bodyTimeout: 0 }
  const answer = await dispatcher.request({ ...request, ...limits, signal })
  exchange.status = answer.statusCode
  exchange.headers = flatHeaders(answer.headers)
  return recorded(answer.body, exchange)
}

async function* recorded(body: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncGenerator<Uint8Array> {
  const limits = createStreamLimits()
  try {
    for await (const piece of body) {
      exchange.deadline.restart()
      // By bytes: a letter that two pieces share is only for showing.
      const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("utf8")
      limits.check(text, exchange.tail)
      if (exchange.text.length < KEPT) exchange.text += text.slice(0, KEPT)
      exchange.tail = (exchange.tail + text.slice(-TAIL)).slice(-TAIL)
      yield piece
    }
  } catch (error) {
    exchange.broke = error
    throw error
  }
}
