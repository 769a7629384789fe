import type { BegunFault } from "./inject-faults.ts"
import type { TimedListing } from "./measure-listings.ts"

/** Slow listings after the faults of one kind. */
export interface SlowListings {
  /** The kind of the last fault before them. */
  readonly after: BegunFault["kind"] | "none"
  readonly count: number
  /** Median of the seconds since the fault began. */
  readonly secondsAfter: number
}

/** Counts the listings that took longer than some milliseconds, by the fault that began last before their end. The most frequent come first. */
export function slowListings(
  listings: readonly TimedListing[],
  faults: readonly BegunFault[],
  limitMs: number,
): readonly SlowListings[] {
  const seconds = new Map<SlowListings["after"], number[]>()
  for (const { endedAt, ms } of listings) {
    if (ms <= limitMs) continue
    const fault = faults.findLast(({ at }) => at <= endedAt)
    const kind = fault?.kind ?? "none"
    seconds.set(kind, [...(seconds.get(kind) ?? []), (endedAt - (fault?.at ?? endedAt)) / 1000])
  }
  return [...seconds]
    .map(([after, all]) => {
      const median = all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
      return { after, count: all.length, secondsAfter: Math.round(median * 10) / 10 }
    })
    .toSorted((a, b) => b.count - a.count)
}
