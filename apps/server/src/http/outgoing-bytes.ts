import type { ServerResponse } from "node:http"
import { AssayError } from "@assay/schemas"
import type { App } from "./app.ts"

export interface OutgoingOptions {
  /** Bytes of answers that the server holds at most for clients that have not taken them yet. */
  readonly maxBytes: number
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** Bytes of answers that are in memory because their clients have not taken them yet. */
export interface OutgoingBytes {
  /**
   * Counts `bytes` until the answer is with the system or its connection has ended. Small answers are not counted, and a
   * single answer may be larger than the limit.
   * @throws `unavailable` if there is no room, unless `isRequired`
   */
  hold(response: ServerResponse, bytes: number, options?: { readonly isRequired?: boolean }): void
  /** @throws `unavailable` if there is no room for another answer */
  checkRoom(): void
}

/** The system takes answers up to this size from us at once, whatever the client does. */
const SMALL = 65_536
/** While there is no room, an answer that is slower than this ends, so that slow clients can't keep others out. */
const BYTES_PER_SECOND = 65_536
const GRACE_MS = 30_000
const RETRY_SECONDS = 5

interface Held {
  readonly bytes: number
  /** Until when it stays whatever happens. */
  readonly due: number
}

export function createOutgoingBytes({ maxBytes, now }: OutgoingOptions): OutgoingBytes {
  const held = new Map<ServerResponse, Held>()
  let total = 0

  function release(response: ServerResponse): void {
    total -= held.get(response)?.bytes ?? 0
    held.delete(response)
  }

  /** A connection that ends here is slower than a modem; its client sees that the body is cut. */
  function endSlow(): void {
    const time = now()
    for (const [response, { due }] of held) {
      if (due > time) continue
      release(response)
      response.destroy()
    }
  }

  function checkRoomFor(bytes: number): void {
    if (total === 0 || total + bytes <= maxBytes) return
    endSlow()
    if (total === 0 || total + bytes <= maxBytes) return
    const message = `Clients have not taken ${total} bytes of answers yet, and this server holds at most ${maxBytes} (ASSAY_MAX_OUTGOING_BYTES); ask again.`
    throw new AssayError("unavailable", message, { context: { retryAfter: RETRY_SECONDS } })
  }

  return {
    hold(response, bytes, { isRequired = false } = {}) {
      if (bytes <= SMALL || response.destroyed) return
      if (!isRequired) checkRoomFor(bytes)
      held.set(response, { bytes, due: now() + GRACE_MS + (bytes / BYTES_PER_SECOND) * 1000 })
      total += bytes
      response.once("close", () => release(response))
    },
    checkRoom: () => checkRoomFor(SMALL),
  }
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])
/** Header fields of an answer that is not given. */
const OF_THE_ANSWER = ["etag", "last-modified", "content-range", "x-checksum-sha256", "accept-ranges", "cache-control"]

/**
 * Refuses answers for which there is no room. A write that is done already gets its answer in any case: its client would
 * take a 503 for a failure. So writes with JSON, whose answers can be as large as they are, are refused before they begin.
 */
export function limitOutgoing(app: App, outgoing: OutgoingBytes): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || !/^application\/(.*\+)?json/.test(request.headers["content-type"] ?? ""))
      return done()
    try {
      outgoing.checkRoom()
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook("onSend", (request, reply, payload, done) => {
    const bytes = sizeOf(payload)
    if (bytes <= SMALL || request.method === "HEAD") return done()
    try {
      outgoing.hold(reply.raw, bytes, { isRequired: !SAFE_METHODS.has(request.method) })
      done()
    } catch (error) {
      for (const name of OF_THE_ANSWER) reply.removeHeader(name)
      done(error as Error)
    }
  })
}

/** Text counts by its characters: almost all of it is ASCII, and measuring it exactly costs as much as sending it. */
function sizeOf(payload: unknown): number {
  if (typeof payload === "string") return payload.length
  return payload instanceof Uint8Array ? payload.byteLength : 0
}
