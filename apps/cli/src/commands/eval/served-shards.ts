import type { Client } from "@assay/client"
import type { Context } from "../../context.ts"

/** Milliseconds between two looks at the shards of a job that is watched. */
const LOOK_MS = 2000

/** How many shards of a job are done and running. */
export interface ShardCounts {
  readonly shards?: { readonly total: number; readonly done: number; readonly running: number }
}

/** Returns a function that returns the newest counts that are known, and looks for newer ones now and then. A server that has none is not asked again. */
export function watchShards({ now, signal }: Context, client: Client, id: string): () => ShardCounts {
  let counts: ShardCounts = {}
  let nextAt = now()
  const look = async (): Promise<void> => {
    const { total, counts: found } = await client.evaluation.jobs.shards(id, { limit: 1 }, { signal })
    if (total > 0) counts = { shards: { total, done: found.done, running: found.running } }
  }
  return () => {
    if (now() >= nextAt) {
      nextAt = now() + LOOK_MS
      look().catch(() => {
        nextAt = Infinity
      })
    }
    return counts
  }
}
