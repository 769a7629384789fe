import type { JobProgress } from "@assay/results"

/** Says when a worker takes its next shard. */
export interface ShardLead {
  /** A shard begins to ask. */
  began(shard: number): void
  progressed(shard: number, progress: Pick<JobProgress, "processed" | "total">): void
  /** A shard asks nothing more. */
  asked(shard: number): void
  /**
   * Returns whether the next shard should be taken now.
   * @param slots the number of rows that may be in flight
   */
  isDue(slots: number): boolean
}

/** Time before the probable end of the present shard at which the next one is taken, so that its first rows follow without a pause. */
const LEAD_MS = 2000

interface Asking {
  readonly processed: number
  readonly left: number
}

/**
 * Creates the lead of a worker. A shard that is taken much earlier waits without a new row. If its worker is lost meanwhile, that counts against
 * a shard that is not the reason, and another worker could have begun it.
 */
export function createShardLead(now: () => number): ShardLead {
  const asking = new Map<number, Asking | undefined>()
  let processed = 0
  let begun: number | undefined
  return {
    began(shard) {
      begun ??= now()
      asking.set(shard, undefined)
    },
    progressed(shard, progress) {
      if (!asking.has(shard)) return
      // The first report contains rows that earlier workers have answered.
      processed += progress.processed - (asking.get(shard)?.processed ?? progress.processed)
      asking.set(shard, { processed: progress.processed, left: (progress.total ?? Infinity) - progress.processed })
    },
    asked(shard) {
      asking.delete(shard)
    },
    isDue(slots) {
      const left = [...asking.values()].reduce((sum, one) => sum + (one?.left ?? Infinity), 0)
      // If all rows that are left are in flight, slots are free from the next answer on.
      return left <= slots || left * (now() - (begun ?? 0)) < LEAD_MS * processed
    },
  }
}
