import type { RunStore } from "../run/run-store.ts"
import { type FollowEnd, type FollowOptions, openFollower } from "./open-follower.ts"
import { watchSilence } from "./watch-silence.ts"

const NEAR_PAUSE_MS = 500
const REMOTE_PAUSE_MS = 2000
/** A look takes at most a tenth of the time, however many shards a run has. */
const PAUSE_FACTOR = 9
const MAX_PAUSE_MS = 60_000

/**
 * Follows a run until all of its shards are published. Submits shards again that ended without their rows, up to the retries of their submission.
 * A storage or an engine that does not respond is asked again for 15 minutes.
 * @throws the error of a storage or an engine that is silent for longer, or that refuses the first submission; the reason of the signal
 */
export async function followRun(store: RunStore, options: FollowOptions): Promise<FollowEnd> {
  const { now, sleep, signal } = options
  const silence = watchSilence(options)
  const follower = await openFollower(store, options)
  for (let isFirst = options.request !== undefined; ; isFirst = false) {
    signal.throwIfAborted()
    const start = now()
    try {
      const end = await follower.step()
      if (end !== undefined) return end
      const { processed, silence: error } = follower.last()
      silence.note(error, processed)
    } catch (error) {
      signal.throwIfAborted()
      // A request of a user is refused at once.
      if (isFirst) throw error
      silence.note(error, follower.last().processed)
    }
    const pause = Math.max(follower.last().isNear ? NEAR_PAUSE_MS : REMOTE_PAUSE_MS, (now() - start) * PAUSE_FACTOR)
    await sleep(Math.min(pause, MAX_PAUSE_MS), signal)
  }
}
