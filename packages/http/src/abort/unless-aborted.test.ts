import { describe, expect, it } from "vitest"
import { unlessAborted, untilAborted } from "./unless-aborted.ts"

/** Counts up, and remembers whether it was closed. */
function source(length: number): { readonly values: AsyncIterable<number>; readonly isEnded: () => boolean } {
  let ended = false
  let next = 0
  const iterator: AsyncIterator<number> = {
    next: async () => (next < length ? { done: false, value: next++ } : { done: true, value: undefined }),
    async return() {
      ended = true
      return { done: true, value: undefined }
    },
  }
  return { values: { [Symbol.asyncIterator]: () => iterator }, isEnded: () => ended }
}

describe("untilAborted", () => {
  it("yields every value in order", async () => {
    const { values, isEnded } = source(5)
    expect(await Array.fromAsync(untilAborted(values, new AbortController().signal))).toEqual([0, 1, 2, 3, 4])
    expect(isEnded()).toBe(false)
  })

  it("throws the reason of the signal while the source is silent, and closes the source", async () => {
    let ended = false
    const silent: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        async return() {
          ended = true
          return { done: true, value: undefined }
        },
      }),
    }
    const aborting = new AbortController()
    const values = untilAborted(silent, aborting.signal)
    const waiting = values.next()
    aborting.abort(new Error("enough"))
    await expect(waiting).rejects.toThrow("enough")
    expect(ended).toBe(true)
  })

  it("closes the source when the reader stops", async () => {
    const { values, isEnded } = source(5)
    for await (const value of untilAborted(values, undefined)) {
      if (value === 2) break
    }
    expect(isEnded()).toBe(true)
  })

  it("takes nothing from the source if the signal is aborted already", async () => {
    const { values } = source(5)
    const reading = Array.fromAsync(untilAborted(values, AbortSignal.abort(new Error("too late"))))
    await expect(reading).rejects.toThrow("too late")
    expect(await values[Symbol.asyncIterator]().next()).toEqual({ done: false, value: 0 })
  })
})

describe("unlessAborted", () => {
  it("returns the result of the work if nothing is aborted", async () => {
    expect(await unlessAborted(Promise.resolve(1), new AbortController().signal)).toBe(1)
    expect(await unlessAborted(Promise.resolve(2), undefined)).toBe(2)
  })

  it("throws the reason of the signal while the work hangs", async () => {
    const aborting = new AbortController()
    const waiting = unlessAborted(new Promise(() => {}), aborting.signal)
    aborting.abort(new Error("enough"))
    await expect(waiting).rejects.toThrow("enough")
  })
})
