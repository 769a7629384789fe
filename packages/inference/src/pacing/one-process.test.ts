import { describe, expect, it } from "vitest"
import { createVirtualClock, type VirtualClock } from "../testing/virtual-clock.ts"
import { createRequestPacers } from "./endpoint-pacers.ts"
import { createRequestPacer } from "./request-pacer.ts"
import { createMemoryPace } from "./shared-paces.ts"

/** Returns whether the endpoint takes a request now. */
type Limit = () => boolean

/** Takes at most `limit` requests in any second. */
function perSecond(limit: () => number, { now }: VirtualClock): Limit {
  const taken: number[] = []
  return () => {
    while ((taken[0] ?? Infinity) <= now() - 1000) taken.shift()
    if (taken.length >= limit()) return false
    taken.push(now())
    return true
  }
}

/** Takes a burst, and then a constant number in each second. */
function bucket(rate: number, burst: number, { now }: VirtualClock): Limit {
  let tokens = burst
  let last = 0
  return () => {
    tokens = Math.min(burst, tokens + ((now() - last) * rate) / 1000)
    last = now()
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

interface Seen {
  /** Good answers of each second. */
  readonly good: readonly number[]
  readonly refused: readonly number[]
  readonly rate: number | undefined
  /** The largest number of requests in any ten seconds after the first minute. */
  readonly most: number
}

interface Load {
  readonly seconds: number
  readonly inFlight?: number
  readonly latencyMs?: number
  readonly askedMs?: number
  /** When nobody asks, in seconds. */
  readonly idle?: readonly [from: number, to: number]
}

/** Lets jobs with 160 requests in flight together ask an endpoint of 100 ms without a pause. */
async function simulate(limitOf: (clock: VirtualClock) => Limit, load: Load): Promise<Seen> {
  const { seconds, inFlight = 160, latencyMs = 100, askedMs, idle: [idleFrom, idleTo] = [Infinity, Infinity] } = load
  const clock = createVirtualClock()
  const pacer = createRequestPacer({ ...clock, paces: createMemoryPace(clock.now), key: "endpoint" })
  const takes = limitOf(clock)
  const good = Array<number>(seconds).fill(0)
  const refused = Array<number>(seconds).fill(0)
  const sent: number[] = []
  const count = (counts: number[]) => {
    const second = Math.min(seconds - 1, Math.floor(clock.now() / 1000))
    counts[second] = (counts[second] ?? 0) + 1
  }
  async function ask(store: number): Promise<never> {
    for (;;) {
      if (clock.now() >= idleFrom * 1000) await clock.sleep(Math.max(0, idleTo * 1000 - clock.now()))
      await pacer.turn(undefined)
      const sentAt = clock.now()
      sent.push(sentAt)
      await clock.sleep(latencyMs / 2)
      const isTaken = takes()
      await clock.sleep((latencyMs / 2) * (0.8 + 0.4 * ((store * 7) % 10) * 0.1))
      if (isTaken) pacer.succeeded()
      else pacer.refused(sentAt, askedMs)
      count(isTaken ? good : refused)
    }
  }
  for (let store = 0; store < inFlight; store++) void ask(store)
  await clock.run(seconds * 1000)
  let most = 0
  let begin = sent.findIndex((at) => at > 60_000)
  for (const [end, at] of sent.entries()) {
    while (end > begin && (sent[begin] ?? at) <= at - 10_000) begin++
    most = Math.max(most, end - begin + 1)
  }
  return { good, refused, rate: pacer.rate(), most }
}

const sumOf = (counts: readonly number[], from = 0) => counts.slice(from).reduce((sum, one) => sum + one, 0)

describe("the pacer of an endpoint", () => {
  it("holds 20 jobs to the 50 requests per second that an endpoint allows, with under 1 % refused", async () => {
    const { good, refused } = await simulate((clock) => perSecond(() => 50, clock), { seconds: 300 })
    expect(sumOf(good) / 300).toBeGreaterThan(47)
    expect(sumOf(refused) / sumOf(good)).toBeLessThan(0.01)
    // All but the first wave, which nobody could know about.
    expect(sumOf(refused, 1)).toBeLessThan(30)
  })

  it.each([
    ["a small burst", (clock: VirtualClock) => bucket(50, 10, clock), 50],
    ["a large burst", (clock: VirtualClock) => bucket(50, 200, clock), 50],
    ["a low limit", (clock: VirtualClock) => perSecond(() => 5, clock), 5],
  ])("finds the limit of an endpoint with %s", async (_what, limitOf, limit) => {
    const { good, refused } = await simulate(limitOf, { seconds: 120 })
    expect(sumOf(good, 60) / 60 / limit).toBeGreaterThan(0.8)
    expect(sumOf(refused, 60)).toBeLessThan(0.02 * sumOf(good, 60) + 2)
  })

  it("passes a limit by at most 5 % although an outage has filled the bucket of the endpoint", async () => {
    const limitOf = (clock: VirtualClock) => bucket(150, 150, clock)
    for (const length of [1, 5, 30]) {
      const { most, good } = await simulate(limitOf, { seconds: 240, idle: [100, 100 + length] })
      expect(most).toBeLessThanOrEqual(1.05 * 150 * 10)
      expect(sumOf(good, 140) / 100).toBeGreaterThan(140)
    }
  })

  it("measures the limit of an endpoint with a bucket between two refusals", async () => {
    const { good, refused, most } = await simulate((clock) => bucket(150, 150, clock), { seconds: 200 })
    expect(sumOf(good, 20) / 180).toBeGreaterThan(147)
    expect(sumOf(refused, 20)).toBeLessThan(0.001 * sumOf(good, 20))
    expect(most).toBeLessThanOrEqual(1.03 * 150 * 10)
  })

  it("finds a high limit, and one of slow answers", async () => {
    const high = await simulate((clock) => perSecond(() => 1000, clock), { seconds: 20, inFlight: 640 })
    expect(sumOf(high.good, 10) / 10).toBeGreaterThan(900)
    expect(sumOf(high.refused, 5)).toBeLessThan(30)
    const slow = await simulate((clock) => perSecond(() => 50, clock), { seconds: 120, latencyMs: 2000 })
    expect(sumOf(slow.good, 60) / 60).toBeGreaterThan(45)
  })

  it("follows a limit that falls, and forgets one that is gone", async () => {
    const lower = await simulate((clock) => perSecond(() => (clock.now() < 60_000 ? 50 : 25), clock), { seconds: 120 })
    expect(sumOf(lower.good, 90) / 30).toBeGreaterThan(22)
    expect(sumOf(lower.refused, 90)).toBeLessThan(20)
    const gone = await simulate((clock) => perSecond(() => (clock.now() < 30_000 ? 50 : Infinity), clock), {
      seconds: 370,
    })
    expect(gone.rate).toBeUndefined()
    expect(sumOf(gone.good, 360) / 10).toBeGreaterThan(1500)
  })

  it("sends nothing while an endpoint asks for a pause", async () => {
    const clock = createVirtualClock()
    const pacer = createRequestPacer({ ...clock, paces: createMemoryPace(clock.now), key: "endpoint" })
    pacer.refused(clock.now(), 5000)
    let turns = 0
    const asking = Array.from({ length: 3 }, async () => pacer.turn(undefined).then(() => (turns += 1)))
    await clock.run(4990)
    expect(turns).toBe(0)
    await clock.run(60_000)
    expect(turns).toBe(3)
    await Promise.all(asking)
  })

  it("lets everybody pass at once before the first refusal, and those who give up leave the queue", async () => {
    const clock = createVirtualClock()
    const pacer = createRequestPacer({ ...clock, paces: createMemoryPace(clock.now), key: "endpoint" })
    await pacer.turn(undefined)
    expect(pacer.rate()).toBeUndefined()
    pacer.refused(clock.now(), 1000)
    const cancel = new AbortController()
    const given = pacer.turn(cancel.signal)
    let isNext = false
    void pacer.turn(undefined).then(() => (isNext = true))
    cancel.abort(new Error("cancelled"))
    await expect(given).rejects.toThrow("cancelled")
    await expect(pacer.turn(cancel.signal)).rejects.toThrow("cancelled")
    await clock.run(1100)
    expect(isNext).toBe(true)
  })
})

describe("the pacers of all endpoints", () => {
  it("are one for each endpoint and key, of which the last used 1,000 are kept", () => {
    const pacers = createRequestPacers(createVirtualClock())
    const base = "http://127.0.0.1/v1"
    const first = pacers.of({ base, apiKey: "one" })
    expect(pacers.of({ base, apiKey: "one" })).toBe(first)
    expect(pacers.of({ base, apiKey: "two" })).not.toBe(first)
    expect(pacers.of({ base: `${base}/x`, apiKey: "one" })).not.toBe(first)
    for (let at = 0; at < 1000; at++) pacers.of({ base, apiKey: String(at) })
    expect(pacers.of({ base, apiKey: "one" })).not.toBe(first)
  })

  it("lists the hosts that limit requests, without keys and paths, and says when one begins", async () => {
    const clock = createVirtualClock()
    const held: object[] = []
    const pacers = createRequestPacers(clock, { onHeld: (one) => held.push(one) })
    const of = (base: string, apiKey?: string) => pacers.of({ base, apiKey })
    of("https://free.example/v1")
    expect(pacers.held()).toEqual([])
    for (const apiKey of ["one", "two"]) {
      const pacer = of("https://user:secret@limits.example:8443/v1", apiKey)
      pacer.refused(clock.now(), 60_000)
      pacer.refused(clock.now() + 2000, undefined)
    }
    await clock.run(0)
    const abort = new AbortController()
    const waiting = of("https://user:secret@limits.example:8443/v1", "one").turn(abort.signal)
    await clock.run(0)
    expect(pacers.held()).toEqual([{ host: "limits.example:8443", requestsPerSecond: expect.any(Number), waiting: 1 }])
    expect(held).toEqual([
      { host: "limits.example:8443", requestsPerSecond: 4.5 },
      { host: "limits.example:8443", requestsPerSecond: 4.5 },
    ])
    abort.abort()
    await expect(waiting).rejects.toThrow()
  })
})
