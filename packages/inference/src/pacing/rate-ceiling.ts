import { createHash } from "node:crypto"
import type { InferenceContext } from "../inference-context.ts"

/** Holds back requests to each endpoint and key to a rate that the user has set, whatever the endpoint would accept. */
export interface RateCeiling {
  /** Waits until a request to this endpoint and key may leave. They are in the order of the calls. @throws the reason of `signal` */
  turn(endpoint: { readonly base: string; readonly apiKey: string | undefined }, signal?: AbortSignal): Promise<void>
}

export interface RateCeilingOptions {
  /** Returns the requests a second now, above 0. */
  readonly perSecond: () => number
  /** Returns the milliseconds until the first request to an endpoint. Default: it leaves at once. */
  readonly firstMs?: (() => number) | undefined
}

/** The turns of one endpoint and key. */
interface Turns {
  /** When the last request left. */
  lastAt: number
  /** Resolves when the last of those that wait has left. */
  last: Promise<void>
}

/** Timers have no longer time. */
const LONGEST_MS = 2 ** 31 - 1

/** Creates a ceiling. Requests leave one after the other, evenly, so that no second has more of them than the rate says, rounded up. */
export function createRateCeiling(
  { now, sleep }: Pick<InferenceContext, "now" | "sleep">,
  { perSecond, firstMs }: RateCeilingOptions,
): RateCeiling {
  const known = new Map<string, Turns>()

  function turnsOf(base: string, apiKey: string): Turns {
    // Keys are not kept.
    const key = createHash("sha256")
      .update(JSON.stringify([base, apiKey]))
      .digest("base64")
    const first = firstMs === undefined ? -Infinity : now() + firstMs() - 1000 / perSecond()
    const turns = known.get(key) ?? { lastAt: first, last: Promise.resolve() }
    known.set(key, turns)
    return turns
  }

  /** Waits until the time since the last request is over, by the rate of now: others may have joined since this one was called. */
  async function wait(turns: Turns, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const due = turns.lastAt + 1000 / perSecond()
    for (let left = due - now(); left > 0; left -= LONGEST_MS) await sleep(Math.min(left, LONGEST_MS), signal)
    turns.lastAt = Math.max(due, now())
  }

  return {
    async turn({ base, apiKey = "" }, signal) {
      const turns = turnsOf(base, apiKey)
      const turn = turns.last.then(() => wait(turns, signal))
      // A request that is given up loses its turn, and the next one waits as long.
      turns.last = turn.catch(() => {})
      await turn
    },
  }
}
