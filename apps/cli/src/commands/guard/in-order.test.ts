import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { inOrder } from "./in-order.ts"

async function* numbers(): AsyncGenerator<number, void, undefined> {
  yield* [0, 1, 2, 3, 4, 5, 6]
}

describe("work in order", () => {
  it("answers as the source goes, however long each takes, so many at a time", async () => {
    let [running, most] = [0, 0]
    const work = async (item: number) => {
      most = Math.max(most, ++running)
      await setTimeout(item % 3 === 0 ? 6 : 1)
      running--
      return item
    }
    expect(await Array.fromAsync(inOrder(numbers(), work, 3))).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(most).toBe(3)
  })

  it("throws what a work throws in its turn, after the answers before it", async () => {
    const seen: number[] = []
    const work = async (item: number) => {
      if (item === 2) throw new Error("two")
      return item
    }
    const all = async () => {
      for await (const item of inOrder(numbers(), work, 3)) seen.push(item)
    }
    await expect(all()).rejects.toThrow("two")
    expect(seen).toEqual([0, 1])
  })
})
