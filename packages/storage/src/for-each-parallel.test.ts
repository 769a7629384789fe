import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { forEachParallel } from "./for-each-parallel.ts"

async function* count(limit: number): AsyncGenerator<number> {
  for (let at = 0; at < limit; at += 1) yield at
}

describe("forEachParallel", () => {
  it("processes every item once, and at most the given number at a time", async () => {
    const done: number[] = []
    let running = 0
    let most = 0
    await forEachParallel(count(50), 4, async (item) => {
      running += 1
      most = Math.max(most, running)
      await setImmediate()
      running -= 1
      done.push(item)
    })
    expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at))
    expect(most).toBe(4)
  })

  it("stops at the first failure and starts nothing after it", async () => {
    const begun: number[] = []
    const work = forEachParallel(count(1000), 2, async (item) => {
      begun.push(item)
      if (item === 3) throw new Error("item 3")
      await setImmediate()
    })
    await expect(work).rejects.toThrow("item 3")
    expect(begun.length).toBeLessThan(8)
  })

  it("does not start an item that arrives after the failure", async () => {
    const gate = Promise.withResolvers<void>()
    async function* items(): AsyncGenerator<number> {
      yield 0
      await gate.promise
      yield 1
    }
    const begun: number[] = []
    const work = forEachParallel(items(), 2, async (item) => {
      begun.push(item)
      void setImmediate().then(() => gate.resolve())
      throw new Error(`item ${item}`)
    })
    await expect(work).rejects.toThrow("item 0")
    expect(begun).toEqual([0])
  })
})
