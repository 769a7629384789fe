import { createHash } from "node:crypto"
import type { InferenceContext } from "../inference-context.ts"

/** Holds back requests to each endpoint and key to a rate that the user has set, whatever the endpoint would accept. */
export interface RateCeiling {
  /** Waits until a request to this endpoint and key may leave. They are in the order of the calls. @throws the reason of `signal` */
  turn(endpoint: { readonly base: string; readonly apiKey: string | undefined }, signal?: AbortSignal): Promise<void>
}

/**
 * Creates a ceiling. Requests leave one after the other, evenly, so that no second has more of them than the rate says, rounded up.
 * @param perSecond returns the rate now, above 0
 */
export function createRateCeiling(
  { now, sleep }: Pick<InferenceContext, "now" | "sleep">,
  perSecond: () => number,
): RateCeiling {
  /** When the next request may leave, by the digest of its endpoint and key. */
  const free = new Map<string, number>()
  return {
    async turn({ base, apiKey = "" }, signal) {
      // Keys are not kept.
      const key = createHash("sha256")
        .update(JSON.stringify([base, apiKey]))
        .digest("base64")
      const at = now()
      const due = Math.max(at, free.get(key) ?? at)
      free.set(key, due + 1000 / perSecond())
      if (due > at) await sleep(due - at, signal)
    },
  }
}
