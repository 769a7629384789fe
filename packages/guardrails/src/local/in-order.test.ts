import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { inOrder } from "./in-order.ts"

async function* numbers(): AsyncGenerator<number, void, undefined> {
  yield* [0, 1, 2, 3, 4, 5, 6]
}

describe("work in order", () => {
  it("yields results in the order of the source, with at most `parallelism` calls at a time", async () => {
    let running = 0
    let most = 0
    const work = async (item: number) => {
      most = Math.max(most, ++running)
      await setTimeout(item % 3 === 0 ? 6 : 1)
      running--
      return item
    }
    expect(await Array.fromAsync(inOrder(numbers(), work, 3))).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(most).toBe(3)
  })

  it("throws the error of a call in its turn, after the results before it", async () => {
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
