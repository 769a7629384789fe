import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createVirtualClock, type VirtualClock } from "../testing/virtual-clock.ts"
import { createRequestPacer } from "./request-pacer.ts"
import { type SharedPaces, storedPaces } from "./shared-paces.ts"

/** Returns a store that takes some milliseconds, until it is taken away. Its clock is 1,000,000 ms ahead of that of the processes. */
function createStore({ now, sleep }: VirtualClock): SharedPaces & { isAway: boolean; changes: number } {
  const texts = new Map<string, string>()
  let took = 0
  const seen = { isAway: false, changes: 0 }
  const stored = storedPaces({
    async change(key, work) {
      seen.changes++
      await sleep(1 + (took++ % 3))
      if (seen.isAway) throw new Error("The store is away.")
      const { stored, value } = work(texts.get(key), now() + 1_000_000)
      if (stored !== undefined) texts.set(key, stored)
      await sleep(1)
      return value
    },
  })
  return Object.assign(seen, stored)
}

interface Load {
  readonly workers: number
  readonly seconds: number
  /** Requests per second that the endpoint allows, at a time in seconds. */
  readonly limit: (second: number) => number
  readonly inFlight?: number
  /** When all but the first worker begin, in seconds. */
  readonly joinAt?: number
  /** When the shared store is away, in seconds. */
  readonly away?: readonly [from: number, to: number]
}

interface Seen {
  /** Good answers and refusals of each second. */
  readonly good: readonly number[]
  readonly refused: readonly number[]
  /** The largest number of requests in any second after the first six. */
  readonly most: number
  readonly changesPerSecond: number
}

/** Lets workers ask an endpoint of 100 ms without a pause. The endpoint takes a limited number of requests in any second. */
async function simulate({ workers, seconds, limit, inFlight = 32, joinAt = 0, away }: Load): Promise<Seen> {
  const clock = createVirtualClock()
  const store = createStore(clock)
  const taken: number[] = []
  const sent: number[] = []
  const [good, refused] = [Array<number>(seconds).fill(0), Array<number>(seconds).fill(0)]
  function takes(): boolean {
    while ((taken[0] ?? Infinity) <= clock.now() - 1000) taken.shift()
    sent.push(clock.now())
    if (taken.length >= limit(clock.now() / 1000)) return false
    taken.push(clock.now())
    return true
  }
  async function work(worker: number): Promise<void> {
    if (worker > 0) await clock.sleep(joinAt * 1000)
    const pacer = createRequestPacer({ ...clock, paces: store, key: "endpoint" })
    const ask = async (at: number): Promise<never> => {
      for (;;) {
        await pacer.turn(undefined)
        const sentAt = clock.now()
        await clock.sleep(50)
        const isTaken = takes()
        await clock.sleep(50 * (0.8 + 0.04 * ((at * 7) % 10)))
        if (isTaken) pacer.succeeded()
        else pacer.refused(sentAt, undefined)
        const counts = isTaken ? good : refused
        const second = Math.min(seconds - 1, Math.floor(clock.now() / 1000))
        counts[second] = (counts[second] ?? 0) + 1
      }
    }
    for (let at = 0; at < inFlight; at++) void ask(at)
  }
  for (let worker = 0; worker < workers; worker++) void work(worker)
  if (away !== undefined) {
    await clock.run(away[0] * 1000)
    store.isAway = true
    await clock.run(away[1] * 1000)
    store.isAway = false
  }
  await clock.run(seconds * 1000)
  const late = sent.filter((at) => at > 6000)
  const most = Math.max(...late.map((at, from) => late.slice(from, from + 200).filter((one) => one < at + 1000).length))
  return { good, refused, most, changesPerSecond: store.changes / seconds }
}

const sumOf = (counts: readonly number[], from = 0, to = counts.length) =>
  counts.slice(from, to).reduce((sum, one) => sum + one, 0)

describe("the pacer of an endpoint that processes share", () => {
  it.each([1, 2, 4, 8])(
    "holds %i processes together to the 50 requests per second that an endpoint allows",
    verifies("paces.one-rate"),
    async (workers) => {
      const { good, refused, most, changesPerSecond } = await simulate({ workers, seconds: 120, limit: () => 50 })
      expect(sumOf(good, 3) / 117).toBeGreaterThan(45)
      expect(sumOf(refused, 3) / sumOf(good, 3)).toBeLessThan(0.01)
      expect(most).toBeLessThanOrEqual(52)
      expect(changesPerSecond).toBeLessThan(40)
    },
  )
  it("lets processes join without a burst", verifies("paces.join"), async () => {
    const { good, refused, most } = await simulate({ workers: 4, seconds: 40, limit: () => 50, joinAt: 20 })
    expect(sumOf(good, 20) / 20).toBeGreaterThan(44)
    expect(sumOf(refused, 20)).toBeLessThan(10)
    expect(most).toBeLessThanOrEqual(52)
  })

  it("follows a limit that falls, and forgets one that is gone", async () => {
    const limit = (second: number) => (second < 30 ? 50 : second < 60 ? 20 : Infinity)
    const { good, refused } = await simulate({ workers: 3, seconds: 390, limit })
    expect(sumOf(good, 45, 60) / 15).toBeGreaterThan(16)
    expect(sumOf(refused, 45, 60)).toBeLessThan(10)
    // Three times 32 requests of 100 ms.
    expect(sumOf(good, 385) / 5).toBeGreaterThan(700)
  })

  it("finds the limit although the shared store gives no response just after the first refusal", async () => {
    const { good, refused } = await simulate({ workers: 4, seconds: 20, limit: () => 50, away: [0.13, 3] })
    expect(sumOf(good, 5, 20) / 15).toBeGreaterThan(42)
    expect(sumOf(refused, 5)).toBeLessThan(10)
  })

  it("lets each process pace itself while the shared store gives no response", verifies("paces.alone"), async () => {
    const { good, refused } = await simulate({ workers: 2, seconds: 60, limit: () => 50, away: [20, 40] })
    expect(sumOf(good, 25, 40) / 15).toBeGreaterThan(40)
    expect(sumOf(refused, 25, 40) / sumOf(good, 25, 40)).toBeLessThan(0.05)
    expect(sumOf(good, 45) / 15).toBeGreaterThan(39)
    expect(sumOf(refused, 45)).toBeLessThan(12)
  })
})
