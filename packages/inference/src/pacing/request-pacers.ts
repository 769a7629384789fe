import { createHash } from "node:crypto"
import type { InferenceContext } from "../inference-context.ts"
import { createRequestPacer, type RequestPacer } from "./request-pacer.ts"

/** The pacers of all endpoints. Whoever shares them shares the limits of the endpoints. */
export interface RequestPacers {
  /** Returns the pacer of an endpoint and key. */
  of(endpoint: { readonly base: string; readonly apiKey: string | undefined }): RequestPacer
}

/** Those that were not used for longest are forgotten: an endpoint is met as if for the first time then. */
const MAX_PACERS = 1000

export function createRequestPacers(clock: Pick<InferenceContext, "now" | "sleep">): RequestPacers {
  const pacers = new Map<string, RequestPacer>()
  return {
    of({ base, apiKey = "" }) {
      // Keys are not kept.
      const key = createHash("sha256")
        .update(JSON.stringify([base, apiKey]))
        .digest("base64")
      const pacer = pacers.get(key) ?? createRequestPacer(clock)
      pacers.delete(key)
      pacers.set(key, pacer)
      const [oldest] = pacers.keys()
      if (oldest !== undefined && pacers.size > MAX_PACERS) pacers.delete(oldest)
      return pacer
    },
  }
}
