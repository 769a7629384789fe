import { Readable } from "node:stream"
import { collectPieces, flatHeaders, readLimited, type HttpHeaders } from "@assay/http"
import { decodeContent, isEncoded } from "@assay/http/node"
import type { Dispatcher } from "undici"
import type { AnswerRoom } from "../inference-context.ts"
import { ANSWER_LIMITS, createStreamLimits, type HeldRoom, holdRoom, tooLong } from "./answer-limits.ts"
import type { Exchange } from "./exchange.ts"

/** A request as it is dispatched. */
export interface SentRequest {
  readonly method: "GET" | "POST"
  readonly origin: string
  /** With its query. */
  readonly path: string
  readonly headers: HttpHeaders
  readonly body: string | null
}

/** An answer. Its body is a text that was read to its end, or a stream. */
export interface Answer<Content = string | AsyncIterable<Uint8Array>> {
  readonly status: number
  readonly headers: HttpHeaders
  readonly content: Content
}

/** The deadline of the exchange covers headers and body, so undici needs no limits. */
const LIMITS = { headersTimeout: 0, bodyTimeout: 0 }

/**
 * Sends a request and reads its answer to the end. It uses `dispatch` without a stream, which saves a third of the cost of a
 * call. The exchange records status and headers as soon as the answer begins, and the text at its end.
 * @param room undefined: the answer shares no memory limit with others
 */
export function sendWhole(
  dispatcher: Dispatcher,
  request: SentRequest,
  { exchange, room }: { readonly exchange: Exchange; readonly room: AnswerRoom | undefined },
): Promise<Answer<string>> {
  return new Promise((resolve, reject) => {
    const { deadline } = exchange
    const held = room === undefined ? undefined : holdRoom(room)
    const pieces = collectPieces()
    let controller: Dispatcher.DispatchController | undefined
    let aborted: Error | undefined
    const fail = (error: unknown) => {
      deadline.onAbort(undefined)
      held?.release()
      reject(error)
    }
    deadline.onAbort((reason) => {
      aborted = reason
      fail(reason)
      controller?.abort(reason)
    })
    if (aborted !== undefined) return
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // The deadline was over before the request got a connection.
        if (aborted !== undefined) started.abort(aborted)
        else exchange.onSent?.()
      },
      onResponseStart(_, status, headers) {
        exchange.status = status
        exchange.headers = flatHeaders(headers)
      },
      onResponseData(reading, piece) {
        pieces.add(piece)
        try {
          if (pieces.length > ANSWER_LIMITS.bytes) throw tooLong("is", ANSWER_LIMITS.bytes)
          held?.growTo(pieces.length)
        } catch (error) {
          reading.abort(error as Error)
        }
      },
      onResponseEnd() {
        const { headers } = exchange
        const finish = (bytes: Uint8Array) => {
          deadline.onAbort(undefined)
          held?.release()
          exchange.text = decodeUtf8(bytes)
          resolve({ status: exchange.status ?? 0, headers, content: exchange.text })
        }
        const encoding = headers["content-encoding"]
        if (isEncoded(encoding)) decodeWhole(pieces.join(), encoding, held).then(finish, fail)
        else finish(pieces.join())
      },
      onResponseError(_, error) {
        fail(error)
      },
    }
    dispatcher.dispatch({ ...request, ...LIMITS }, handler)
  })
}

/** Decodes a whole body. The decoded body has the limits of an answer. */
async function decodeWhole(
  bytes: Uint8Array,
  encoding: string | undefined,
  held: HeldRoom | undefined,
): Promise<Uint8Array> {
  async function* measured(): AsyncGenerator<Uint8Array> {
    let length = bytes.length
    for await (const piece of decodeContent(Readable.from([bytes]), encoding)) {
      held?.growTo((length += piece.length))
      yield piece
    }
  }
  const decoded = await readLimited(measured(), ANSWER_LIMITS.bytes)
  if (decoded.isTruncated) throw tooLong("is", ANSWER_LIMITS.bytes)
  return decoded.bytes
}

function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

const KEPT = 4096
const TAIL = 64

/** Sends a request and returns the body of its answer as a stream. The exchange records its beginning and its end. */
export async function sendStreamed(
  dispatcher: Dispatcher,
  request: SentRequest,
  exchange: Exchange,
): Promise<Answer<AsyncIterable<Uint8Array>>> {
  const controller = new AbortController()
  exchange.deadline.onAbort((reason) => controller.abort(reason))
  const answer = await dispatcher.request({ ...request, ...LIMITS, signal: controller.signal })
  exchange.status = answer.statusCode
  exchange.headers = flatHeaders(answer.headers)
  const body = decodeContent(answer.body, exchange.headers["content-encoding"])
  return { status: exchange.status, headers: exchange.headers, content: recorded(body, exchange) }
}

async function* recorded(body: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncGenerator<Uint8Array> {
  const limits = createStreamLimits()
  try {
    for await (const piece of body) {
      exchange.deadline.restart()
      // Each piece is decoded by itself: a character that two pieces share matters only for messages.
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
