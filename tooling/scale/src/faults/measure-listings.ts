import { setTimeout as sleep } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import type { ListingTime } from "./listing-worker.ts"

/** Times of requests that list filesets. */
export interface Listings {
  /** Ends the present phase and begins the next one. */
  next(): ListingPhase
  stop(): Promise<ListingPhase>
}

export interface TimedListing {
  /** Time since 1970 in milliseconds. */
  readonly endedAt: number
  readonly ms: number
}

/** The listings of a phase that has ended. */
export interface ListingPhase {
  readonly facts: ListingFacts
  /** Those with a response, in the order of their ends. */
  readonly listings: readonly TimedListing[]
}

export interface ListingFacts {
  readonly count: number
  /** Requests without a response, or with 500 to 599: their server was killed, or the database was down. Not in `p99Ms`. */
  readonly failed: number
  /** Milliseconds. NaN if there was no response. */
  readonly p50Ms: number
  readonly p99Ms: number
}

const EVERY_MS = 50

const PROGRAM = new URL("listing-worker.ts", import.meta.url)

/**
 * Lists filesets through one server after the other, 20 times a second. The requests have a thread of their own: this one is also the
 * endpoint and the way to the storage, and its work would be counted as time of the servers.
 */
export function measureListings(urls: () => readonly string[]): Listings {
  const stopping = new AbortController()
  const worker = new Worker(PROGRAM)
  let listings: TimedListing[] = []
  let failed = 0
  worker.on("message", (time: ListingTime) => {
    if (time === undefined) failed += 1
    else listings.push({ endedAt: Date.now(), ms: time })
  })

  function next(): ListingPhase {
    const sorted = listings.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const at = (share: number) => Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) * 10) / 10
    const facts = { count: sorted.length, failed, p50Ms: at(0.5), p99Ms: at(0.99) }
    const phase = { facts, listings }
    listings = []
    failed = 0
    return phase
  }

  const running = (async () => {
    for (let number = 0; !stopping.signal.aborted; number++) {
      const all = urls()
      worker.postMessage(all[number % all.length] ?? "", [])
      await sleep(EVERY_MS)
    }
  })()
  return {
    next,
    async stop() {
      stopping.abort()
      await running
      await worker.terminate()
      return next()
    },
  }
}
