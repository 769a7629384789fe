import type { ServerResponse } from "node:http"

/** Writes a piece. Resolves when it has left our memory or the connection has ended. */
function write(response: ServerResponse, piece: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()))
}

interface Pieces<Piece> {
  readonly first: IteratorResult<Piece>
  readonly rest: AsyncIterator<Piece>
  /** Called with each piece after it was sent. */
  readonly release?: ((piece: Piece) => void) | undefined
  /** Called if `rest` fails. */
  readonly failed?: ((error: unknown) => void) | undefined
}

/** Writes the pieces of a body as fast as the client reads, and ends the response. */
export async function writePieces<Piece extends Uint8Array | string>(
  response: ServerResponse,
  { first, rest, release, failed }: Pieces<Piece>,
): Promise<void> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      await write(response, next.value)
      if (response.destroyed) return
      release?.(next.value)
    }
    response.end()
  } catch (error) {
    failed?.(error)
    // The status is already sent. Closing the connection shows the client that the body is incomplete.
    response.destroy(error as Error)
  } finally {
    await rest.return?.()
  }
}

/** Header fields of a response with server-sent events (WHATWG HTML §9.2). */
export const EVENT_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Asks proxies not to buffer the response.
  "x-accel-buffering": "no",
} as const

interface Events {
  readonly first: IteratorResult<unknown>
  readonly rest: AsyncIterator<unknown>
  /** Returns the last event of a stream that failed after so many events. */
  readonly errorEvent: (error: unknown, sent: number) => unknown
  /** Whether the `type` of each value is the name of its event. Such a stream has no end mark. Default false. */
  readonly hasNamedEvents?: boolean
}

/** Writes values as events as fast as the client reads, with `[DONE]` after the last one, and ends the response. */
export async function writeEvents(
  response: ServerResponse,
  { first, rest, errorEvent, hasNamedEvents = false }: Events,
): Promise<void> {
  let sent = 0
  const send = (value: unknown) => {
    const name = hasNamedEvents ? `event: ${(value as { type: string }).type}\n` : ""
    return write(response, `${name}data: ${JSON.stringify(value)}\n\n`)
  }
  try {
    for (let next = first; next.done !== true && !response.destroyed; next = await rest.next()) {
      await send(next.value)
      sent += 1
    }
    if (!response.destroyed && !hasNamedEvents) await write(response, "data: [DONE]\n\n")
  } catch (error) {
    if (!response.destroyed) await send(errorEvent(error, sent))
  } finally {
    await rest.return?.()
    response.end()
  }
}
