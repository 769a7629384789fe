import type { Dispatcher } from "undici"
import { flatHeaders, type HttpRequest, type WholeAnswer } from "./http-request.ts"

/** No chat completion is longer; what is, is no chat completion. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Sends a request and reads its answer to the end. Written on `dispatch`, without a stream in between: a third of the
 * cost of a call is there. `onHeaders` is told of an answer as soon as it begins.
 */
export function sendWhole(
  dispatcher: Dispatcher,
  request: HttpRequest,
  signal: AbortSignal,
  onHeaders: (status: number, headers: WholeAnswer["headers"]) => void,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let status = 0
    let headers: WholeAnswer["headers"] = {}
    let length = 0
    const pieces: Buffer[] = []
    const fail = (error: unknown) => {
      signal.removeEventListener("abort", abort)
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
        pieces.push(piece)
        length += piece.length
        if (length > MOST_BYTES) reading.abort(new Error(`The answer is longer than ${MOST_BYTES} bytes.`))
      },
      onResponseEnd() {
        signal.removeEventListener("abort", abort)
        const [first] = pieces
        const bytes = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces, length)
        resolve({ status, headers, text: bytes.toString() })
      },
      onResponseError(_, error) {
        fail(error)
      },
    }
    // The deadline covers headers and body alike.
    dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler)
  })
}
