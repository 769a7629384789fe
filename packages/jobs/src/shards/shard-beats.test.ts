import type { ShardOrders } from "@assay/job-store"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createConcurrencyLimit, createRequestSlots } from "@assay/evaluation"
import { createShardBeats } from "./shard-beats.ts"

/** Returns a worker with 8 slots, all of which are taken, whose beats are answered by hand. */
function createWorker() {
  let share = 8
  const slots = createRequestSlots(createConcurrencyLimit({ max: () => share, now: () => 0, onChange: () => {} }))
  const run = slots.open(new AbortController().signal)
  while (run.tryTake());
  const waiting: ((orders: ShardOrders | undefined) => void)[] = []
  const beats = createShardBeats({
    slots,
    send: () => new Promise<ShardOrders | undefined>((answer) => waiting.push(answer)),
  })
  return {
    beats,
    run,
    /** Returns the number of beats that wait for an answer. */
    waiting: () => waiting.length,
    answer: async (given: number, isFair = true) => {
      share = given
      waiting.shift()?.({ status: "RUNNING", isOpen: true, share: given, isFair })
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

describe("beats of a worker", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("follow each other, and the first one comes soon", async () => {
    const { beats, waiting, answer } = createWorker()
    await vi.advanceTimersByTimeAsync(100)
    void beats.beat()
    void beats.beat()
    await vi.advanceTimersByTimeAsync(0)
    expect(waiting()).toBe(1)
    await answer(8)
    expect(waiting()).toBe(1)
    beats.end()
    await answer(8)
    expect(waiting()).toBe(0)
  })

  it("report at once that the requests above a lower share have ended", async () => {
    const { beats, run, waiting, answer } = createWorker()
    void beats.beat()
    await vi.advanceTimersByTimeAsync(0)
    await answer(6)
    run.free()
    await vi.advanceTimersByTimeAsync(0)
    expect(waiting()).toBe(0)
    run.free()
    await vi.advanceTimersByTimeAsync(0)
    expect(waiting()).toBe(1)
    beats.end()
  })

  it("ask soon for a share that others have, but not for long", async () => {
    const { beats, waiting, answer } = createWorker()
    void beats.beat()
    await vi.advanceTimersByTimeAsync(0)
    for (let following = 1; following <= 20; following++) {
      await answer(8, false)
      expect(waiting()).toBe(0)
      await vi.advanceTimersByTimeAsync(100)
      expect(waiting()).toBe(1)
    }
    await answer(8, false)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(waiting()).toBe(0)
    beats.end()
  })
})
