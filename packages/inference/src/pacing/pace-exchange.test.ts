import { startFakeInference } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createTestClient, HELLO } from "../testing/open-test-client.ts"
import { createRequestPacers } from "./endpoint-pacers.ts"
import { NO_PACE } from "./allowed-rate.ts"
import { exchangePace } from "./pace-exchange.ts"

/** Opens two clients of one endpoint that share its limits. Waits only move their clock. */
async function openTwo() {
  const server = await startFakeInference()
  onTestFinished(() => server.close())
  let time = 0
  const now = () => time
  const sleep = async (milliseconds: number) => void (time += milliseconds)
  const pacers = createRequestPacers({ now, sleep })
  const open = (apiKey: string) =>
    createTestClient({ url: server.url, model: "chat", apiKey }, {}, { now, sleep, pacers }).client
  return { server, now, first: open("one"), second: open("one"), other: open("two") }
}
const WAITS = { maxRateLimitWaitMs: 300_000 }

it("A refusal of one client holds the others back that have the same key, and is not their latency", async () => {
  const { server, now, first, second, other } = await openTwo()
  server.faults.add({ times: 1, fault: { kind: "condition", condition: "rate-limited", retryAfter: 5 } })
  const { attempts, latencyMs } = await first.complete(HELLO, WAITS)
  expect([attempts, now() >= 5000]).toEqual([1, true])
  expect(latencyMs).toBe(0)
  const before = now()
  expect((await second.complete(HELLO, WAITS)).latencyMs).toBe(0)
  expect(now()).toBeGreaterThan(before)
  const after = now()
  // Neither another key, nor a call that does not wait for rate limits.
  await other.complete(HELLO, WAITS)
  await second.complete(HELLO)
  expect(now()).toBe(after)
})

it("The rate that a server of an earlier version has stored is continued", () => {
  const pace = { refusedRate: 100, grown: 20, isGuess: false, cutAt: 0, cutFrom: 110, pausedUntil: 0 }
  const earlier = JSON.stringify({ pace, nextAt: 59_000, counts: [] })
  const wanted = exchangePace(earlier, 60_000, { unused: 0, answers: [], wanted: 5 })
  expect(wanted.value.rate).toBeCloseTo(100.4, 1)
  const refusal = { ago_ms: 5, count: 1 }
  const { stored, value } = exchangePace(wanted.stored, 61_000, {
    unused: 0,
    answers: [{ ago_ms: 10, count: 5 }],
    refusal,
    wanted: 5,
  })
  expect(value.count).toBe(5)
  expect(value.rate).toBeGreaterThan(40)
  expect(value.rate).toBeLessThan(100)
  expect(stored).not.toContain('null,"grown"')
})

it("The first guess of a limit is corrected by answers of its time that are reported later", () => {
  const stored: (string | undefined)[] = [undefined]
  const exchange = (now: number, answers: [number, number][], agoMs?: number) => {
    const changed = exchangePace(stored[0], now, {
      unused: 0,
      answers: answers.map(([ago_ms, count]) => ({ ago_ms, count })),
      ...(agoMs === undefined ? {} : { refusal: { ago_ms: agoMs, count: 1 } }),
      wanted: 20,
    })
    stored[0] = changed.stored
    return changed.value.rate
  }
  // The refusal comes before any answer.
  expect(exchange(60_000, [], 5)).toBeCloseTo(4.5)
  expect(exchange(61_100, [])).toBeLessThan(6)
  // One process has not reached the others for four seconds. Another has, but late.
  expect(exchange(62_000, [[1500, 60]])).toBeCloseTo(54)
  const rate = exchange(64_500, [
    [4500, 20],
    [4000, 40],
    [500, 300],
  ])
  expect(rate).toBeCloseTo(0.9 * 120)
})

const LIMIT = 150

/**
 * Lets a process ask an endpoint that has a bucket for the requests of one second, which is empty, at a rate that is too high, and returns what was measured as its limit at each cut.
 * @param missed which turns are not used
 */
function measuredRates(missed: (turn: number) => boolean): readonly number[] {
  const pace = { ...NO_PACE, refusedRate: LIMIT + 80, isGuess: false, cutAt: 0 }
  let stored: string | undefined = JSON.stringify({ pace, nextAt: 60_000, counts: [] })
  let tokens = 0
  let filledAt = 60_000
  let turn = 0
  let unused = 0
  let agoMs = 0
  let count = 0
  const [due, rates]: [number[], number[]] = [[], []]
  for (let now = 60_000; now < 75_000; now += 50) {
    const refusal = count === 0 ? {} : { refusal: { ago_ms: agoMs, count } }
    const changed = exchangePace(stored, now, { unused, answers: [], ...refusal, wanted: 100 })
    stored = changed.stored
    ;[unused, count] = [0, 0]
    const lease = changed.value
    if (lease.is_cut) rates.push((JSON.parse(stored ?? "") as { pace: { refusedRate: number } }).pace.refusedRate)
    for (let at = 0; at < lease.count; at++) due.push(lease.first_at + at * lease.step_ms)
    while ((due[0] ?? Infinity) < now + 50) {
      const at = due.shift() ?? 0
      tokens = Math.min(LIMIT, tokens + ((at - filledAt) * LIMIT) / 1000)
      filledAt = at
      if (missed(turn++)) unused += 1
      else if (tokens >= 1) tokens -= 1
      else [agoMs, count] = [now + 50 - at, count + 1]
    }
  }
  return rates
}

it.each([
  ["although turns were given before the rate was cut", () => false],
  ["although busy processes miss turns", (turn: number) => turn < 1000 && turn % 4 === 0],
])("The limit is measured %s", (_what, missed) => {
  // The bucket may be full before the first refusal, but not before the second.
  const [, second] = measuredRates(missed)
  expect(second).toBeGreaterThan(146)
  expect(second).toBeLessThan(154)
})

it.each([
  ["rises when the bucket of the endpoint must be empty", 0, 80, 1.06],
  ["waits while a busy process misses turns, which fill the bucket again", 25, 80, 1.03],
  ["rises late if turns are always missed", 25, 700, 1.06],
])("Above the last refusal, a rate %s", (_what, every, seconds, above) => {
  const pace = { ...NO_PACE, refusedRate: LIMIT, grown: 175, isGuess: false, cutAt: 0 }
  let stored: string | undefined = JSON.stringify({ pace, nextAt: 60_000, counts: [] })
  let turns = 0
  let unused = 0
  let rate: number | undefined
  for (let now = 60_000; now < 60_000 + seconds * 1000; now += 50) {
    const { stored: next, value } = exchangePace(stored, now, { unused, answers: [], wanted: 100 })
    ;[stored, rate] = [next, value.rate]
    unused = every === 0 ? 0 : Math.floor((turns + value.count) / every) - Math.floor(turns / every)
    turns += value.count
  }
  expect(rate).toBeCloseTo(LIMIT * above)
})
