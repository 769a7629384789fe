import type { Client } from "@assay/client"
import { formatCount, formatInteger } from "@assay/reports/terminal"
import { type JobShard, type JobShardPage, printable } from "@assay/schemas"
import type { Context } from "../../context.ts"

/** Shards that are printed. */
const SHOWN = 10
/** Milliseconds between two looks at the shards of a job that is watched. */
const LOOK_MS = 2000

/** Returns what is said of the shards of a job on a server. Empty if it has none. */
export function formatShards({ data, executor, total, counts }: JobShardPage): string {
  if (total === 0) return ""
  // A server of an earlier version has no count of those that are stopped.
  const others = (["failed", "stopped"] as const).flatMap((state) =>
    counts[state] > 0 ? `, ${formatInteger(counts[state])} ${state}` : [],
  )
  const by = executor === null ? "" : ` on ${printable(executor)}`
  const sum = `${formatInteger(counts.done)} of ${formatCount(total, "shard")} done${by}, ${formatInteger(counts.running)} running, ${formatInteger(counts.waiting)} waiting${others.join("")}\n`
  const open = data.filter(({ state }) => state !== "waiting" && state !== "done")
  const more = open.length > SHOWN ? [`  … and ${open.length - SHOWN} others\n`] : []
  return [sum, ...open.slice(0, SHOWN).map(formatShard), ...more].join("")
}

function formatShard({ index, state, location, reason, processed, rows, message }: JobShard): string {
  const where = location === null ? "" : ` on ${printable(location)}`
  const said = reason === null ? "" : ` (${printable(reason)})`
  const why = message === null ? "" : `: ${printable(message)}`
  return `  shard ${index}: ${state}${where}${said}, ${formatInteger(processed)} of ${formatInteger(rows)} rows${why}\n`
}

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
