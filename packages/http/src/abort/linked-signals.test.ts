import { getEventListeners } from "node:events"
import { describe, expect, it } from "vitest"
import { anySignal, linkAbort } from "./linked-signals.ts"

describe("linkAbort", () => {
  it("aborts its signal with the reason of the outer signal", () => {
    const outer = new AbortController()
    const linked = linkAbort(outer.signal)
    outer.abort("enough")
    expect(linked.signal.reason).toBe("enough")
  })

  it("returns an aborted signal if the outer signal is aborted already", () => {
    expect(linkAbort(AbortSignal.abort("enough")).signal.reason).toBe("enough")
  })

  it("leaves no listener on the outer signal after `end`, and aborts its own", () => {
    const outer = new AbortController()
    const linked = linkAbort(outer.signal)
    expect(getEventListeners(outer.signal, "abort")).toHaveLength(1)
    linked.end()
    expect(getEventListeners(outer.signal, "abort")).toHaveLength(0)
    expect([linked.signal.aborted, outer.signal.aborted]).toEqual([true, false])
  })
})

describe("anySignal", () => {
  it("returns undefined for no signal, and the only one for one", () => {
    const { signal } = new AbortController()
    expect([anySignal(undefined, undefined), anySignal(undefined, signal)]).toEqual([undefined, signal])
  })

  it("returns a signal that is aborted with the first of several", () => {
    const [one, other] = [new AbortController(), new AbortController()]
    const signal = anySignal(one.signal, undefined, other.signal)
    other.abort("second")
    expect(signal.reason).toBe("second")
  })
})
