import type { ServerResponse } from "node:http"
import { AssayError } from "@assay/schemas"

export interface OutgoingOptions {
  /** Maximum number of bytes of responses that the server holds for clients that have not received them yet. */
  readonly maxBytes: number
  /** Name of the setting of `maxBytes`, for messages. */
  readonly setting: string
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** Counts the bytes of responses that are in memory because their clients have not received them yet. */
export interface OutgoingBytes {
  /**
   * Counts `bytes` until the system has taken the response or the connection has ended. Responses of at most 64 KiB are not
   * counted, and a single response may be larger than the limit.
   * @throws `unavailable` if there is no room, unless `isRequired`
   */
  hold(response: ServerResponse, bytes: number, options?: { readonly isRequired?: boolean }): void
  /** @throws `unavailable` if there is no room for another response */
  checkRoom(): void
}

/** The operating system takes responses up to this size at once, even if the client does not read. */
export const SMALL_RESPONSE = 65_536
/** While there is no room, slower responses are ended, so that slow clients can't block others. */
const BYTES_PER_SECOND = 65_536
const GRACE_MS = 30_000
const RETRY_SECONDS = 5

interface Held {
  readonly bytes: number
  /** Time until which the response is kept in any case. */
  readonly due: number
}

export function createOutgoingBytes({ maxBytes, setting, now }: OutgoingOptions): OutgoingBytes {
  const held = new Map<ServerResponse, Held>()
  let total = 0

  function release(response: ServerResponse): void {
    total -= held.get(response)?.bytes ?? 0
    held.delete(response)
  }

  /** Ends responses that are slower than `BYTES_PER_SECOND`. Their clients see a truncated body. */
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
    const message = `Clients have not received ${total} bytes of responses yet, and this server holds at most ${maxBytes} (${setting}). Try again later.`
    throw new AssayError("unavailable", message, { context: { retryAfter: RETRY_SECONDS } })
  }

  return {
    hold(response, bytes, { isRequired = false } = {}) {
      if (bytes <= SMALL_RESPONSE || response.destroyed) return
      if (!isRequired) checkRoomFor(bytes)
      held.set(response, { bytes, due: now() + GRACE_MS + (bytes / BYTES_PER_SECOND) * 1000 })
      total += bytes
      response.once("close", () => release(response))
    },
    checkRoom: () => checkRoomFor(SMALL_RESPONSE),
  }
}
