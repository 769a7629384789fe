import { clientKey } from "@assay/http/node"
import { AssayError } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"

/** The streams that are open at one server. */
export interface StreamSlots {
  /**
   * Takes a slot for a stream of the caller of a request, until it is disposed of. Without auth all callers are one, and their addresses tell
   * them apart.
   * @throws `unavailable`, `too_many_requests`
   */
  take(request: FastifyRequest): Disposable
}

/** Streams of one server at a time. */
const MAX_STREAMS = 2000
/** Streams of one caller at a time. A browser opens one for each tab that can be seen. */
const MAX_OWN_STREAMS = 100

/**
 * Creates the slots of a server: at most 2,000 at a time, and 100 of them for one caller, so that nobody takes the slots of all others.
 * @param of what the streams send
 */
export function createStreamSlots(of: string): StreamSlots {
  const taken = new Map<string, number>()
  let streams = 0
  return {
    take(request) {
      const owner = callerOf(request).id ?? clientKey(request.ip)
      if (streams >= MAX_STREAMS) {
        throw refusal("unavailable", `This server has ${MAX_STREAMS} open streams of ${of}; try again later.`)
      }
      const before = taken.get(owner) ?? 0
      if (before >= MAX_OWN_STREAMS) {
        throw refusal(
          "too_many_requests",
          `You have ${MAX_OWN_STREAMS} open streams of ${of} at this server; close some of them.`,
        )
      }
      streams += 1
      taken.set(owner, before + 1)
      return {
        [Symbol.dispose]() {
          streams -= 1
          const left = (taken.get(owner) ?? 1) - 1
          if (left === 0) taken.delete(owner)
          else taken.set(owner, left)
        },
      }
    },
  }
}

function refusal(code: "unavailable" | "too_many_requests", message: string): AssayError {
  return new AssayError(code, message, { context: { retryAfter: 30 } })
}
