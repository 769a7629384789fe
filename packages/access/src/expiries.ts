import { createHash } from "node:crypto"
import { LRUCache } from "lru-cache"

/** Remembers what has expired, so that it stays expired if the clock of the machine is set back. A restart forgets it. */
export interface Expiries {
  /**
   * Returns whether something has expired, or had at an earlier call.
   * @param name what only the thing itself has, such as its signature
   * @param end milliseconds since 1970
   */
  readonly hasExpired: (name: string, end: number) => boolean
}

/** Things that are remembered. The first ones are forgotten then. */
const MAX_REMEMBERED = 10_000

/** @param now milliseconds since 1970 */
export function createExpiries(now: () => number): Expiries {
  const expired = new LRUCache<string, true>({ max: MAX_REMEMBERED })
  const keyOf = (name: string) => createHash("sha256").update(name).digest("base64url")
  return {
    hasExpired(name, end) {
      if (end > now()) return expired.size > 0 && expired.has(keyOf(name))
      expired.set(keyOf(name), true)
      return true
    },
  }
}
