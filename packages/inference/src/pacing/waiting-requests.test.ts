import { setImmediate } from "node:timers/promises"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { createVirtualClock } from "../testing/virtual-clock.ts"
import { createRequestPacer } from "./request-pacer.ts"
import { createMemoryPace } from "./shared-paces.ts"
import { createWaitingRequests } from "./waiting-requests.ts"

/** Lets requests wait, releases `count` of them, and returns their names in the order of release. */
async function released(names: readonly string[], count: number): Promise<readonly string[]> {
  const seen: string[] = []
  const waiting = createWaitingRequests(async () => {})
  for (const name of names) void waiting.wait(undefined, name[0]).then(() => seen.push(name))
  for (let at = 0; at < count; at++) {
    waiting.release()
    await setImmediate()
  }
  expect(waiting.size).toBe(names.length - count)
  return seen
}

it("senders take turns, and requests of one sender keep their order", async () => {
  expect(await released(["a1", "a2", "a3", "a4", "b1", "c1", "b2"], 7)).toEqual([
    "a1",
    "b1",
    "c1",
    "a2",
    "b2",
    "a3",
    "a4",
  ])
})

it("a sender who gives up leaves the queue, and the others keep their turns", async () => {
  const waiting = createWaitingRequests(async () => {})
  const seen: string[] = []
  const cancel = new AbortController()
  const given = waiting.wait(cancel.signal, "a")
  void waiting.wait(undefined, "b").then(() => seen.push("b"))
  cancel.abort(new Error("cancelled"))
  await expect(given).rejects.toThrow("cancelled")
  expect(waiting.size).toBe(1)
  waiting.release()
  waiting.release()
  await setImmediate()
  expect([seen, waiting.size]).toEqual([["b"], 0])
})

it(
  "the first request of a small job does not wait behind the hundreds of a large one",
  verifies("paces.fair"),
  async () => {
    const clock = createVirtualClock()
    const pacer = createRequestPacer({ ...clock, paces: createMemoryPace(clock.now), key: "endpoint" })
    pacer.refused(clock.now(), 1000)
    let large = 0
    for (let at = 0; at < 500; at++) void pacer.turn(undefined, "large").then(() => (large += 1))
    let before: number | undefined
    void pacer.turn(undefined, "small").then(() => (before = large))
    await clock.run(60_000)
    expect(before).toBe(1)
    expect(large).toBeGreaterThan(10)
  },
)
