import type { Dispatcher } from "undici"
import type { AnswerRoom } from "../inference-context.ts"
import { ANSWER_LIMITS, tooLong } from "./answer-limits.ts"
import { collectPieces } from "./collect-pieces.ts"
import { holdRoom } from "./hold-room.ts"
import { flatHeaders, type HttpRequest, type WholeAnswer } from "./http-request.ts"

export interface SendWholeOptions {
  readonly signal: AbortSignal
  /** Undefined: nothing is shared. */
  readonly room: AnswerRoom | undefined
  readonly onHeaders: (status: number, headers: WholeAnswer["headers"]) => void
}

/**
 * Sends a request and reads its answer to the end. Written on `dispatch`, without a stream in between: a third of the
 * cost of a call is there. `onHeaders` is told of an answer as soon as it begins.
 */
export function sendWhole(
  dispatcher: Dispatcher,
  request: HttpRequest,
  { signal, room, onHeaders }: SendWholeOptions,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let status = 0
    let headers: WholeAnswer["headers"] = {}
    const pieces = collectPieces()
    const held = room === undefined ? undefined : holdRoom(room)
    const fail = (error: unknown) => {
      signal.removeEventListener("abort", abort)
      held?.release()
      reject(error)
    }
    const abort = () => {
      const reason = signal.reason as Error
      fail(reason)
      controller?.abort(reason)
    }
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort)
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // It waited for a connection, and nobody waits for it any more.
        if (signal.aborted) started.abort(signal.reason as Error)
      },
      onResponseStart(_, code, received) {
        status = code
        headers = flatHeaders(received)
        onHeaders(status, headers)
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
        signal.removeEventListener("abort", abort)
        held?.release()
        resolve({ status, headers, text: pieces.join().toString() })
      },
      onResponseError(_, error) {
        fail(error)
      },
    }
    // The deadline covers headers and body alike.
    dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler)
  })
}
