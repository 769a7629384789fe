/** Decides when it is worth to read much from the database, because that serves many requests until the next change drops it. */
export interface Worth {
  /** Counts a request that the data serve, or would serve. */
  use(): void
  /** Returns whether enough requests have come. */
  isReached(): boolean
  /** Begins to count the requests that what is being read serves. */
  begin(): void
  /** Notes that the data are outdated. */
  drop(): void
}

/** Number of requests before much is read, which costs as much as a few of them. */
const REQUESTS = 8
const MAX_REQUESTS = 4096

export function createWorth(): Worth {
  let uses = 0
  let required = REQUESTS
  return {
    use: () => void (uses += 1),
    isReached: () => uses >= required,
    begin: () => void (uses = 0),
    drop() {
      // An entry that changes more often than it is used is not worth reading.
      required = uses < REQUESTS ? Math.min(required * 2, MAX_REQUESTS) : REQUESTS
      uses = 0
    },
  }
}
