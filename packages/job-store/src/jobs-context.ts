import type { ResultsFilesets } from "./results-filesets.ts"
import type { ShardedJournalContext } from "./shards/read-contents.ts"

/** The dependencies of everything about jobs. */
export interface JobsContext extends ShardedJournalContext {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** The clock for ages that end with a removal: a jump of the machine's clock removes nothing. Milliseconds since 1970, UTC. */
  readonly steadyNow: () => number
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  /** Milliseconds for which removed jobs can be restored. 0: they are deleted at once. */
  readonly trashMs: number
  readonly results: ResultsFilesets
}
