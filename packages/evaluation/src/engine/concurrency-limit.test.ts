import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createConcurrencyLimit } from "./concurrency-limit.ts"

function createTestLimit(max: number) {
  const changes: number[] = []
  let time = 0
  const limit = createConcurrencyLimit({ max: () => max, now: () => time, onChange: (limit) => changes.push(limit) })
  const succeed = (times: number) => {
    for (let count = 0; count < times; count++) limit.succeeded()
  }
  return { limit, changes, succeed, wait: (milliseconds: number) => (time += milliseconds) }
}

describe("the limit of requests in flight", () => {
  it("is halved once if several requests are refused at the same time", verifies("run.parallelism"), () => {
    const { limit, changes, wait } = createTestLimit(64)
    for (let count = 0; count < 64; count++) limit.throttled()
    expect(limit.current()).toBe(32)
    wait(1000)
    limit.throttled()
    expect(limit.current()).toBe(16)
    expect(changes).toEqual([32, 16])
  })

  it("never goes below 1", () => {
    const { limit, wait } = createTestLimit(3)
    for (let count = 0; count < 5; count++) {
      limit.throttled()
      wait(1000)
    }
    expect(limit.current()).toBe(1)
  })

  it("grows by 1 after as many successes as it allows requests", verifies("run.parallelism"), () => {
    const { limit, changes, succeed } = createTestLimit(8)
    limit.throttled()
    succeed(3)
    expect(limit.current()).toBe(4)
    succeed(1)
    expect(limit.current()).toBe(5)
    succeed(5 + 6 + 7)
    expect(limit.current()).toBe(8)
    succeed(100)
    expect(limit.current()).toBe(8)
    expect(changes).toEqual([4, 8])
  })

  it("is reported again only if it falls below its last reported value", () => {
    const { limit, changes, succeed, wait } = createTestLimit(8)
    limit.throttled()
    succeed(4)
    wait(1000)
    limit.throttled()
    expect([limit.current(), changes]).toEqual([2, [4, 2]])
    succeed(2 + 3)
    wait(1000)
    limit.throttled()
    expect([limit.current(), changes]).toEqual([2, [4, 2]])
  })
})
