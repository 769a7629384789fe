import { describe, expect, it } from "vitest"
import { mapInOrder } from "./map-in-order.ts"
import { createSlots } from "./slots.ts"

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("work on many items", () => {
  it("goes on side by side, and answers in their order", async () => {
    let running = 0
    let most = 0
    const results = await mapInOrder([3, 1, 2, 0, 5], 2, async (turns) => {
      most = Math.max(most, ++running)
      for (let at = 0; at < turns; at++) await turn()
      running--
      return turns * 10
    })
    expect(results).toEqual([30, 10, 20, 0, 50])
    expect(most).toBe(2)
    expect(await mapInOrder([], 2, turn)).toEqual([])
  })

  it("ends with the first failure, and begins nothing more", async () => {
    const begun: number[] = []
    const work = mapInOrder([0, 1, 2, 3, 4], 2, async (item) => {
      begun.push(item)
      await turn()
      if (item === 1) throw new Error("one")
    })
    await expect(work).rejects.toThrow("one")
    await turn()
    expect(begun.length).toBeLessThan(5)
  })
})

describe("slots", () => {
  it("let so many go on, in turn", async () => {
    const slots = createSlots(2)
    const order: string[] = []
    await slots.take()
    await slots.take()
    const third = slots.take().then(() => order.push("third"))
    const fourth = slots.take().then(() => order.push("fourth"))
    await turn()
    expect(order).toEqual([])
    slots.give()
    await third
    slots.give()
    await fourth
    expect(order).toEqual(["third", "fourth"])
  })
})
