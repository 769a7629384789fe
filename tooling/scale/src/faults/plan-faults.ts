/**
 * worker, server: `kill -9`, and another process starts. database: PostgreSQL crashes and starts again. storage: most requests get
 * 503 for ten seconds. partition: a worker has no network for 20 seconds, which is longer than its leases last.
 */
export const FAULT_KINDS = ["worker", "server", "database", "storage", "partition"] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** Returns faults without an end. Each round has each kind once, in an order that the seed decides. */
export function* planFaults(kinds: readonly FaultKind[], seed: number): Generator<FaultKind, never> {
  const random = createRandom(seed)
  for (;;) {
    const round = [...kinds]
    for (let last = round.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      const [one, two] = [round[last], round[other]]
      if (one !== undefined && two !== undefined) [round[last], round[other]] = [two, one]
    }
    yield* round
  }
}

/** Returns numbers from 0 to 1 that the seed decides. The multiplier and increment are those of Numerical Recipes (Press et al.). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
