import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readEvents } from "./read-events.ts"

const tooLong = () => new Error("too long")
const bytes = (text: string) => new TextEncoder().encode(text)

describe("readEvents", () => {
  it("joins the data lines of an event, reads its id and name, and leaves comments out", async () => {
    const text = ": hello\n\nid: 7\nevent: row\ndata: one\ndata:two\nretry: 5\n\ndata: last\r\n\r\n"
    expect(await Array.fromAsync(readEvents([bytes(text)], { tooLong }))).toEqual([
      { id: "7", event: "row", data: "one\ntwo" },
      { data: "last" },
    ])
  })

  it("leaves out an event that the body ends within", async () => {
    expect(await Array.fromAsync(readEvents([bytes("data: a\n\ndata: b")], { tooLong }))).toEqual([{ data: "a" }])
  })

  it("reads the same events however the body is cut into pieces", async () => {
    const text = "id: 1\ndata: größer\n\ndata: 日本語\n\n"
    const whole = await Array.fromAsync(readEvents([bytes(text)], { tooLong }))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes(text).length), { maxLength: 8 }), async (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes(text).length]
        const pieces = ends.map((end, index) => bytes(text).subarray(ends[index - 1] ?? 0, end))
        expect(await Array.fromAsync(readEvents(pieces, { tooLong }))).toEqual(whole)
      }),
    )
  })

  it("throws the caller's error for an event that is longer than the limit", async () => {
    const reading = Array.fromAsync(readEvents([bytes("data: 123456789")], { maxCharacters: 10, tooLong }))
    await expect(reading).rejects.toThrow("too long")
  })
})
