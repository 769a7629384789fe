import { JOB_LEASE_MS, type ShardOrders } from "@assay/job-store"
import { isFinalJobStatus } from "@assay/schemas"
import { loseShards, stopWorker, takeNews, type WorkerState } from "./worker-state.ts"

/** Renews the lease of a worker, sends its news, and obeys its orders. Returns undefined without orders. Never throws. */
export async function sendBeat(state: WorkerState): Promise<ShardOrders | undefined> {
  if (state.isLost) return undefined
  const { worker, slots, report } = state
  const { elapsed } = state.options
  const asked = elapsed()
  // A database that does not respond for the time of a lease may have given the shards to another worker.
  const silence = setTimeout(loseShards, JOB_LEASE_MS, state)
  const news = takeNews(state)
  try {
    const orders = await worker.beat(news)
    if (orders === undefined) return loseShards(state)
    state.heldSince = asked
    state.share = orders.share
    slots.changed()
    if (orders.status === "CANCELLING" || isFinalJobStatus(orders.status)) stopWorker(state)
    else if (!orders.isOpen && !(await isSpent(state))) stopWorker(state)
    return orders
  } catch {
    report.putBack(news.events)
    // The next beat tries again. While the lease lasts, no other worker has the shards.
    if (elapsed() - state.heldSince >= JOB_LEASE_MS) loseShards(state)
    return undefined
  } finally {
    clearTimeout(silence)
  }
}

/** Returns whether the shards are closed because the workspace has nothing left. Then the rows in flight, which are paid for, may end. */
async function isSpent({ report, spending }: WorkerState): Promise<boolean> {
  if (report.hasStopped) return false
  await spending?.refresh()
  return spending?.reached() !== undefined
}
