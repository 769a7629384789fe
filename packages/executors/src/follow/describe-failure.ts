import { printable } from "@assay/schemas"
import type { EndedShard } from "./missing-shards.ts"
import type { FailedEnd } from "./open-follower.ts"

/** Characters of a line of output that a message repeats. */
const SHOWN = 500

/**
 * Returns the message of a run of which a shard could not be asked.
 * @param lastLine the line that its process wrote about it, for a process that ended without saying why
 */
export function describeFailure({ shard, run }: FailedEnd, lastLine: string | undefined): string {
  const { index, reason } = shard
  const wrote = lastLine === undefined ? "" : `: ${printable(lastLine).slice(0, SHOWN)}`
  const why =
    run.shards[index]?.failure?.message ??
    `its process ended without rows (${printable(reason ?? "the engine does not say why")})${wrote}`
  return `Shard ${index} failed ${describeTries(shard)}because: ${why}`
}

/** Says how often a shard was started, or submitted to an engine that decides itself how often it starts a process. */
function describeTries({ by, restarts = false, isHopeless = false }: EndedShard): string {
  const tries = 1 + (restarts && !isHopeless ? (by?.retries ?? 0) : Math.max(0, by?.round ?? 0))
  if (tries === 1) return ""
  return restarts ? `${tries} times, the last time ` : `although it was submitted ${tries} times, the last time `
}
