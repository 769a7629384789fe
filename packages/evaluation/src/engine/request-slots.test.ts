import { setImmediate as nextTurn } from "node:timers/promises"
import { beforeEach, describe, expect, it } from "vitest"
import { createConcurrencyLimit } from "./concurrency-limit.ts"
import { createRequestSlots, type SlotsOfRun, type RequestSlots } from "./request-slots.ts"

/** Takes slots one after the other, as a run with `count` rows does, and writes its name for each. */
async function takeAll(name: string, slots: SlotsOfRun, count: number, taken: string[]): Promise<void> {
  for (let left = count; left > 0; left--) {
    if (!slots.tryTake() && !(await slots.take())) return
    taken.push(name)
  }
  slots.close()
}

describe("slots that two runs share", () => {
  let max: number
  let taken: string[]
  let slots: RequestSlots
  let [first, second]: SlotsOfRun[] = []
  beforeEach(() => {
    max = 3
    taken = []
    slots = createRequestSlots(createConcurrencyLimit({ max: () => max, now: () => 0, onChange: () => {} }))
    first = slots.open(new AbortController().signal)
    second = slots.open(new AbortController().signal)
  })
  const free = (run: SlotsOfRun | undefined, count: number) => {
    for (let left = count; left > 0; left--) run?.free()
  }
  const start = (firstRows: number, secondRows: number) => {
    if (first === undefined || second === undefined) throw new Error("The runs are not open.")
    return [takeAll("first", first, firstRows, taken), takeAll("second", second, secondRows, taken)]
  }

  it("go to the run that was opened first, also if several get free at the same time", async () => {
    void start(9, 9)
    await nextTurn()
    free(first, 3)
    await nextTurn()
    free(first, 3)
    await nextTurn()
    expect(taken).toEqual(Array<string>(9).fill("first"))
  })

  it("go to the next run when the first one has no more rows", async () => {
    const ends = start(4, 5)
    await nextTurn()
    free(first, 3)
    await nextTurn()
    await nextTurn()
    expect(taken).toEqual(["first", "first", "first", "first", "second", "second"])
    free(first, 1)
    free(second, 2)
    await Promise.all(ends)
    expect(taken.slice(6)).toEqual(["second", "second", "second"])
  })

  it("go to the next run while the first one waits for its rows", async () => {
    expect([first?.tryTake(), first?.tryTake(), first?.tryTake()]).toEqual([true, true, true])
    const waits = first?.take()
    const ends = takeAll("second", second as SlotsOfRun, 3, taken)
    free(first, 3)
    expect(await waits).toBe(true)
    // The first run has a slot now, and does not ask for more.
    free(first, 1)
    await ends
    expect(taken).toEqual(["second", "second", "second"])
  })

  it("are taken by waiting runs when their number grows", async () => {
    max = 0
    const ends = start(1, 1)
    await nextTurn()
    expect(taken).toEqual([])
    max = 2
    slots.changed()
    await Promise.all(ends)
    expect(taken).toEqual(["first", "second"])
  })

  it("are not waited for by a run that has to stop", async () => {
    max = 0
    const stop = new AbortController()
    const third = slots.open(stop.signal)
    const waits = third.take()
    stop.abort()
    expect([await waits, await third.take()]).toEqual([false, false])
  })
})
