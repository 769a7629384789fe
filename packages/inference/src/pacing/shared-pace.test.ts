import { startFakeInference } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createTestClient, HELLO } from "../testing/open-test-client.ts"
import { createRequestPacers } from "./request-pacers.ts"
import { exchangePace } from "./shared-pace.ts"

/** Two clients of one endpoint that share what it allows. Waits only move their clock. */
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
  const wanted = exchangePace(earlier, 60_000, { successes: 0, refusal: undefined, wanted: 5 })
  expect(wanted.value.rate).toBeCloseTo(100.4, 1)
  const refusal = { agoMs: 5, askedMs: undefined, count: 1 }
  const { stored, value } = exchangePace(wanted.stored, 61_000, { successes: 5, refusal, wanted: 5 })
  expect(value.count).toBe(5)
  expect(value.rate).toBeGreaterThan(40)
  expect(value.rate).toBeLessThan(100)
  expect(stored).not.toContain('null,"grown"')
})
