import { openRunState } from "../run/run-state.ts"
import type { RunStore } from "../run/run-store.ts"

export interface WaitOptions {
  /** End when no shard has made progress for this time. Milliseconds. */
  readonly quiet: number
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

const PAUSE_MS = 2000
const PAUSE_FACTOR = 9

/**
 * Waits until all shards of a run are published, or until none of them has made progress for some time. Starts nothing. For a merge that an engine
 * starts beside the shards.
 */
export async function waitForShards(store: RunStore, { quiet, now, sleep, signal }: WaitOptions): Promise<void> {
  const reader = openRunState(store)
  let before = ""
  let changedAt = now()
  for (;;) {
    const start = now()
    const { shards, processed, failed } = await reader.read(signal)
    const done = shards.filter(({ state }) => state === "done").length
    if (done === shards.length) return
    const counts = [done, processed, failed].join(" ")
    if (counts !== before) changedAt = now()
    before = counts
    if (now() - changedAt >= quiet) return
    await sleep(Math.max(PAUSE_MS, (now() - start) * PAUSE_FACTOR), signal)
  }
}
