import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { failureOf, HELLO, openTestClient } from "../testing/open-test-client.ts"
import { createRateLimitWait } from "./call-with-retry.ts"

describe("a failed attempt", () => {
  it.each([408, 409, 429, 500, 502, 503, 529])("with %i is repeated", verifies("inference.retry"), async (status) => {
    const { client, server, waits } = await openTestClient()
    server.faults.add({ times: 2, fault: { kind: "answer", status, body: { error: { message: "not now" } } } })
    expect(await client.complete(HELLO)).toMatchObject({ attempts: 3 })
    expect(waits).toEqual([375, 750])
  })

  it.each([{ kind: "reset" as const }, { kind: "cut" as const, after: 20 }])(
    "whose connection broke is repeated: $kind",
    verifies("inference.retry"),
    async (fault) => {
      const { client, server } = await openTestClient()
      server.faults.add({ times: 1, fault })
      expect(await client.complete(HELLO)).toMatchObject({ attempts: 2 })
    },
  )

  it.each([400, 401, 403, 404, 422])("with %i is not repeated", verifies("inference.retry"), async (status) => {
    const { client, server, waits } = await openTestClient()
    server.faults.add({ fault: { kind: "answer", status, body: { error: { message: "no" } } } })
    await failureOf(client.complete(HELLO))
    expect(waits).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it("because of exhausted quota is never repeated", verifies("inference.retry"), async () => {
    const { client, server } = await openTestClient()
    server.faults.add({ fault: { kind: "condition", condition: "quota-exhausted" } })
    expect(await failureOf(client.complete(HELLO))).toMatchObject({ code: "quota_exhausted", retry: "never" })
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    { said: "true", status: 400, tries: 4 },
    { said: "false", status: 500, tries: 1 },
  ])(
    "is repeated or not as `x-should-retry: $said` demands",
    verifies("inference.retry"),
    async ({ said, status, tries }) => {
      const { client, server } = await openTestClient()
      const headers = { "x-should-retry": said }
      server.faults.add({ fault: { kind: "answer", status, headers, body: {} } })
      await failureOf(client.complete(HELLO))
      expect(server.requests).toHaveLength(tries)
    },
  )

  it("is repeated as often as the call allows, and each repetition is reported to onRetry", async () => {
    const { client, server } = await openTestClient({ maxRetries: 7 })
    server.faults.add({ fault: { kind: "condition", condition: "server-error" } })
    const told: number[] = []
    const error = await failureOf(
      client.complete(HELLO, { maxRetries: 2, onRetry: ({ attempt }) => told.push(attempt) }),
    )
    expect(error).toMatchObject({ code: "bad_response", context: { status: 500 } })
    expect(told).toEqual([1, 2])
    expect(server.requests).toHaveLength(3)
  })
})

describe("Retry-After", () => {
  it.each([
    { retryAfter: 7, least: 7000 },
    { retryAfter: "0", least: 0 },
    { retryAfter: new Date(Date.now() + 20_000).toUTCString(), least: 18_000 },
  ])("is obeyed: $retryAfter", verifies("inference.retry"), async ({ retryAfter, least }) => {
    const { client, server, waits } = await openTestClient()
    server.faults.add({ times: 1, fault: { kind: "condition", condition: "rate-limited", retryAfter } })
    await client.complete(HELLO)
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThanOrEqual(least)
    expect(waits[0]).toBeLessThan(least + 2600)
  })

  it("of more than a minute fails the call at once, with the reason", verifies("inference.retry"), async () => {
    const { client, server, waits } = await openTestClient()
    server.faults.add({ fault: { kind: "condition", condition: "rate-limited", retryAfter: 61 } })
    const error = await failureOf(client.complete(HELLO))
    expect(error).toMatchObject({ code: "rate_limited", context: { retry_after_ms: 61_000, status: 429 } })
    expect(waits).toEqual([])
  })
})

describe("a rate limit", () => {
  const limited = (retryAfter?: number) => {
    const asked = retryAfter === undefined ? {} : { retryAfter }
    return { kind: "condition" as const, condition: "rate-limited" as const, ...asked }
  }

  it(
    "is waited out by a call that may wait, any number of times, and does not count as an attempt",
    verifies("inference.rate-limit"),
    async () => {
      const { client, server, waits } = await openTestClient({ maxRetries: 1, maxRateLimitWaitMs: 300_000 })
      server.faults.add({ times: 15, fault: limited(1) })
      server.faults.add({ times: 1, fault: { kind: "condition", condition: "server-error" } })
      expect(await client.complete(HELLO)).toMatchObject({ attempts: 2 })
      expect(server.requests).toHaveLength(17)
      expect(waits.slice(0, 15)).toEqual(Array(15).fill(1125))
    },
  )

  it(
    "without Retry-After doubles the wait each time, up to the time that the call may wait",
    verifies("inference.rate-limit"),
    async () => {
      const { client, server, waits } = await openTestClient({ maxRetries: 0, maxRateLimitWaitMs: 20_000 })
      server.faults.add({ fault: limited() })
      const error = await failureOf(client.complete(HELLO))
      expect(waits.slice(0, 5)).toEqual([375, 750, 1500, 3000, 6000])
      const waited = waits.reduce((sum, wait) => sum + wait, 0)
      expect(waited).toBeGreaterThan(19_000)
      expect(waited).toBeLessThanOrEqual(20_000)
      expect(error).toMatchObject({ code: "rate_limited", context: { status: 429 } })
      expect(error.message).toContain("within the 20 s that a call waits for it; raise `max_rate_limit_wait`")
    },
  )

  it("does not count the time in which a pacer held the call back", () => {
    let time = 0
    const rateLimit = createRateLimitWait({ maxMs: 20_000, now: () => time, random: () => 0.5 })
    expect(rateLimit.next(1000, 0)).toBe(1125)
    time = 90_000
    expect(rateLimit.next(1000, 85_000)).toBe(1125)
    expect(rateLimit.next(1000, 60_000)).toBeUndefined()
  })

  it("that lasts longer than the call may wait fails the call at once", verifies("inference.rate-limit"), async () => {
    const { client, server, waits } = await openTestClient({ maxRateLimitWaitMs: 20_000 })
    server.faults.add({ fault: limited(21) })
    const error = await failureOf(client.complete(HELLO))
    expect(error).toMatchObject({ code: "rate_limited", context: { retry_after_ms: 21_000 } })
    expect([waits, server.requests.length]).toEqual([[], 1])
  })

  it(
    "of more than a minute is waited out if the call may wait that long",
    verifies("inference.rate-limit"),
    async () => {
      const { client, server, waits } = await openTestClient({ maxRateLimitWaitMs: 300_000 })
      server.faults.add({ times: 1, fault: limited(90) })
      await client.complete(HELLO)
      expect(waits).toEqual([90_125])
    },
  )

  it("with Retry-After 0 does not lead to an endless loop", verifies("inference.rate-limit"), async () => {
    const { client, server } = await openTestClient({ maxRateLimitWaitMs: 20_000 })
    server.faults.add({ fault: limited(0) })
    await failureOf(client.complete(HELLO))
    expect(server.requests.length).toBeLessThan(40)
  })

  it.each([
    ["a quota that is used up", { kind: "condition" as const, condition: "quota-exhausted" as const }, 1],
    [
      "a server that forbids another try",
      { kind: "answer" as const, status: 429, headers: { "x-should-retry": "false" }, body: {} },
      1,
    ],
    [
      "a server that is busy and says for how long",
      { kind: "answer" as const, status: 503, headers: { "retry-after": "1" }, body: {} },
      3,
    ],
  ])("is not what %s means", verifies("inference.rate-limit", "inference.retry"), async (_, fault, tries) => {
    const { client, server } = await openTestClient({ maxRetries: 2, maxRateLimitWaitMs: 300_000 })
    server.faults.add({ fault })
    await failureOf(client.complete(HELLO))
    expect(server.requests).toHaveLength(tries)
  })

  it("ends when the caller aborts", async () => {
    const controller = new AbortController()
    const { client, server } = await openTestClient({ maxRateLimitWaitMs: 300_000 })
    server.faults.add({ fault: limited(1) })
    const asked = client.complete(HELLO, {
      signal: controller.signal,
      onRetry: () => controller.abort(new Error("enough")),
    })
    await expect(asked).rejects.toThrow("enough")
    expect(server.requests).toHaveLength(1)
  })
})
