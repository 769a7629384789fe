import { createHash } from "node:crypto"
import { LRUCache } from "lru-cache"
import type { InferenceContext } from "../inference-context.ts"
import { createRequestPacer, type RequestPacer } from "./request-pacer.ts"
import { createMemoryPace, limitPaces, type SharedPaces } from "./shared-paces.ts"

/** The pacers of all endpoints. Processes or jobs that share them share the limits of the endpoints. */
export interface RequestPacers {
  /** Returns the pacer of an endpoint and key. */
  of(endpoint: { readonly base: string; readonly apiKey: string | undefined }): RequestPacer
  /** Lists the hosts whose endpoints limit requests. Endpoints and keys of a host are added up. */
  held(): readonly HeldHost[]
}

/** A host whose endpoints limit requests. */
export interface HeldHost {
  /** Name and port, without path and key. */
  readonly host: string
  readonly requestsPerSecond: number
  /** Requests that wait for their turn. */
  readonly waiting: number
}

export interface RequestPacersOptions {
  /** Called when an endpoint begins to limit requests. */
  readonly onHeld?: (held: Omit<HeldHost, "waiting">) => void
  /** The limits are those of all processes that share these. Default: those of this process. */
  readonly paces?: SharedPaces | undefined
  /** Called with the reason when they do not respond for the first time. Each process then paces itself until they do. */
  readonly onAway?: ((error: unknown) => void) | undefined
}

interface KnownPacer {
  readonly pacer: RequestPacer
  readonly host: string
}

/** The least recently used ones are forgotten: such an endpoint then counts as new. */
const MAX_PACERS = 1000

export function createRequestPacers(
  clock: Pick<InferenceContext, "now" | "sleep">,
  { onHeld = () => {}, onAway, paces }: RequestPacersOptions = {},
): RequestPacers {
  const pacers = new LRUCache<string, KnownPacer>({ max: MAX_PACERS })
  const shared = paces && limitPaces(paces, { sleep: clock.sleep, onAway })
  const create = (base: string, key: string): KnownPacer => {
    const host = hostOf(base)
    const onRate = (requestsPerSecond: number) => onHeld({ host, requestsPerSecond })
    const store = shared ?? createMemoryPace(clock.now)
    return { pacer: createRequestPacer({ ...clock, paces: store, key, onHeld: onRate }), host }
  }
  return {
    of({ base, apiKey = "" }) {
      // Keys are not kept.
      const key = createHash("sha256")
        .update(JSON.stringify([base, apiKey]))
        .digest("base64")
      const known = pacers.get(key) ?? create(base, key)
      pacers.set(key, known)
      return known.pacer
    },
    held() {
      const hosts = new Map<string, HeldHost>()
      for (const { pacer, host } of [...pacers.values()].toReversed()) {
        const { waiting } = pacer
        const found = pacer.rate()
        if (found === undefined) continue
        const known = hosts.get(host) ?? { host, requestsPerSecond: 0, waiting: 0 }
        hosts.set(host, {
          host,
          requestsPerSecond: known.requestsPerSecond + found,
          waiting: known.waiting + waiting,
        })
      }
      return [...hosts.values()]
    },
  }
}

/** Returns only the host of an address, because the address may contain a password. */
function hostOf(base: string): string {
  return URL.canParse(base) ? new URL(base).host : "unknown"
}
