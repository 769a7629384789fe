import { describe, expect, it } from "vitest"
import { lookAhead } from "./look-ahead.ts"

async function* count(limit: number): AsyncGenerator<number> {
  for (let at = 0; at < limit; at += 1) yield at
}

const quiet = { onItem: () => undefined, onEnd: () => undefined }

describe("lookAhead", () => {
  it("yields every item in order and reports when all were read", async () => {
    const events: (number | string)[] = []
    const listener = { onItem: (item: number) => events.push(item), onEnd: () => events.push("end") }
    expect(await Array.fromAsync(lookAhead(count(5), 2, listener))).toEqual([0, 1, 2, 3, 4])
    expect(events).toEqual([0, 1, 2, 3, 4, "end"])
  })

  it("reads at most its limit while the consumer waits", async () => {
    let read = 0
    const items = lookAhead(count(1000), 10, { ...quiet, onItem: () => (read += 1) })
    await items.next()
    // Nothing here waits for the system, so all possible reads are done at the end of this turn.
    await new Promise((resolve) => setImmediate(resolve))
    expect(read).toBeGreaterThanOrEqual(10)
    expect(read).toBeLessThanOrEqual(21)
    await items.return()
  })

  it("throws an error of the source after the items before it", async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 1
      throw new Error("broken off")
    }
    const seen: number[] = []
    await expect(
      (async () => {
        for await (const item of lookAhead(broken(), 10, quiet)) seen.push(item)
      })(),
    ).rejects.toThrow("broken off")
    expect(seen).toEqual([1])
  })
})
