import type { ServerResponse } from "node:http"

/** Writes a piece. Resolves when it has left our memory or the connection has ended. */
function write(response: ServerResponse, piece: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()))
}

interface Pieces {
  readonly first: Uint8Array
  readonly rest: AsyncIterator<Uint8Array>
  /** Called with each piece after it was sent. */
  readonly release?: ((piece: Uint8Array) => void) | undefined
}

/** Writes the pieces of a body as fast as the client reads, and ends the response. */
export async function writePieces(response: ServerResponse, { first, rest, release }: Pieces): Promise<void> {
  try {
    for (let piece: Uint8Array | undefined = first; piece !== undefined;) {
      await write(response, piece)
      if (response.destroyed) return
      release?.(piece)
      const next = await rest.next()
      piece = next.done === true ? undefined : next.value
    }
    response.end()
  } catch (error) {
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
  // Tells proxies not to buffer the response.
  "x-accel-buffering": "no",
} as const

interface Events {
  readonly first: IteratorResult<unknown>
  readonly rest: AsyncIterator<unknown>
  /** Returns the last event of a stream that failed. */
  readonly errorEvent: (error: unknown) => unknown
}

/** Writes values as events as fast as the client reads, with `[DONE]` after the last one, and ends the response. */
export async function writeEvents(response: ServerResponse, { first, rest, errorEvent }: Events): Promise<void> {
  const send = (text: string) => write(response, `data: ${text}\n\n`)
  try {
    for (let next = first; next.done !== true && !response.destroyed; next = await rest.next()) {
      await send(JSON.stringify(next.value))
    }
    if (!response.destroyed) await send("[DONE]")
  } catch (error) {
    if (!response.destroyed) await send(JSON.stringify(errorEvent(error)))
  } finally {
    await rest.return?.()
    response.end()
  }
}
