import type { ShardOrders } from "@assay/job-store"
import type { createRequestSlots } from "@assay/evaluation"

interface Options {
  /** Sends one beat. Undefined: it failed, or the lease is lost. Never throws. */
  readonly send: () => Promise<ShardOrders | undefined>
  readonly slots: Pick<ReturnType<typeof createRequestSlots>, "taken" | "untilTaken">
}

/** The beats of a worker. */
export interface ShardBeats {
  /** Sends a beat. Never throws. */
  beat(): Promise<void>
  /** Ends the beats that follow by themselves. */
  end(): void
}

/** Milliseconds until a beat that follows by itself. */
const SOON_MS = 100
/** The number of beats in a row that follow by themselves. Requests that take longer to end are waited for with the regular beats. */
const FOLLOWING = 20

/**
 * Creates the beats, one after the other: orders must not be overtaken by earlier ones. Further beats follow soon while shares change: workers join
 * a job together, the first of them has all its requests until a beat names the others. It gives requests up when they have ended.
 */
export function createShardBeats({ send, slots }: Options): ShardBeats {
  let last = Promise.resolve()
  let following = 0
  let isEnded = false
  let isDraining = false
  const beatSoon = () => setTimeout(() => void beat(), SOON_MS)
  let timer = beatSoon()

  function beat(): Promise<void> {
    last = last.then(sendAndFollow)
    return last
  }

  async function sendAndFollow(): Promise<void> {
    if (isEnded) return
    const orders = await send()
    if (orders === undefined) return
    if (!isDraining && slots.taken() > orders.share) void drain(orders.share)
    clearTimeout(timer)
    following = orders.isFair ? 0 : following + 1
    if (following > 0 && following <= FOLLOWING && !isEnded) timer = beatSoon()
  }

  /** Beats when the requests above the share have ended, so that other workers get their slots. */
  async function drain(share: number): Promise<void> {
    isDraining = true
    await slots.untilTaken(share)
    isDraining = false
    await beat()
  }

  return {
    beat,
    end() {
      isEnded = true
      clearTimeout(timer)
    },
  }
}
