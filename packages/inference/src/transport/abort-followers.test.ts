import { expect, it } from "vitest"
import { createAbortFollowers } from "./abort-followers.ts"
import { startDeadline } from "./exchange.ts"

/** Returns a signal, and the number of its listeners now and at most. */
function countedSignal() {
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Set<unknown>()
  const count = { now: () => listeners.size, most: 0 }
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  signal.addEventListener = (type: string, listener: () => void) => {
    listeners.add(listener)
    count.most = Math.max(count.most, listeners.size)
    add(type, listener)
  }
  signal.removeEventListener = (type: string, listener: () => void) => {
    listeners.delete(listener)
    remove(type, listener)
  }
  return { controller, signal, count }
}

it("Deadlines with the same signal share one listener, which is removed with the last of them", () => {
  const { controller, signal, count } = countedSignal()
  const followers = createAbortFollowers()
  const reasons: Error[] = []
  const deadlines = Array.from({ length: 3 }, () => startDeadline(60_000, { caller: signal, followers }))
  for (const deadline of deadlines) deadline.onAbort((reason) => reasons.push(reason))
  expect(count.now()).toBe(1)
  deadlines[0]?.end()
  deadlines[0]?.cancel()
  expect([count.now(), reasons.length]).toEqual([1, 1])
  const reason = new Error("stop")
  controller.abort(reason)
  expect(reasons.slice(1)).toEqual([reason, reason])
  for (const deadline of deadlines) deadline.end()
  expect([count.now(), count.most]).toEqual([0, 1])
})

it("A deadline that begins after all others have ended listens again", () => {
  const { controller, signal, count } = countedSignal()
  const followers = createAbortFollowers()
  startDeadline(60_000, { caller: signal, followers }).end()
  expect(count.now()).toBe(0)
  const later = startDeadline(60_000, { caller: signal, followers })
  let reason: Error | undefined
  later.onAbort((why) => (reason = why))
  controller.abort(new Error("stop"))
  later.end()
  expect(reason?.message).toBe("stop")
})
