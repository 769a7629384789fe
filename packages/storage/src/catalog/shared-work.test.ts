import { setImmediate, setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { createSharedWork } from "./shared-work.ts"

describe("shared work", () => {
  it("runs once for all concurrent callers, and again for later callers", async () => {
    let runs = 0
    const share = createSharedWork(async () => {
      await setImmediate()
      return (runs += 1)
    })
    expect(await Promise.all([share(), share(), share()])).toEqual([1, 1, 1])
    expect(await share()).toBe(2)
  })

  it("continues when one caller leaves, and is aborted when the last one leaves", async () => {
    const signals: AbortSignal[] = []
    const share = createSharedWork(async (signal) => {
      signals.push(signal)
      await sleep(10_000, undefined, { signal })
    })
    const leavers = [new AbortController(), new AbortController()]
    const left = leavers.map(({ signal }) => share(signal))
    leavers[0]?.abort(new Error("first"))
    await expect(left[0]).rejects.toThrow("first")
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    leavers[1]?.abort(new Error("second"))
    await expect(left[1]).rejects.toThrow("second")
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it("throws to all callers, and keeps no failure", async () => {
    let runs = 0
    const share = createSharedWork(async () => {
      if ((runs += 1) === 1) throw new Error("once")
      return runs
    })
    const results = await Promise.allSettled([share(), share()])
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"])
    expect(await share()).toBe(2)
  })

  it("does not start for a caller that was already aborted", async () => {
    let runs = 0
    const share = createSharedWork(async () => (runs += 1))
    await expect(share(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone")
    expect(runs).toBe(0)
  })
})
