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

  it("can take an event that the body ends within", async () => {
    const read = (text: string) => Array.fromAsync(readEvents([bytes(text)], { tooLong, takesUnended: true }))
    expect(await read("data: a\n\ndata: b")).toEqual([{ data: "a" }, { data: "b" }])
    expect(await read("data: a\n\n: c\n")).toEqual([{ data: "a" }])
  })

  it.each(["\n", "\r", "\r\n"])("reads lines that end in %j, wherever the body is cut", async (end) => {
    const text = ["id: 1", "data: a", "data: b", "", "data: c", "", ""].join(end)
    const wanted = [{ id: "1", data: "a\nb" }, { data: "c" }]
    expect(await Array.fromAsync(readEvents([bytes(text)], { tooLong }))).toEqual(wanted)
    const single = Array.from(bytes(text), (byte) => Uint8Array.of(byte))
    expect(await Array.fromAsync(readEvents(single, { tooLong }))).toEqual(wanted)
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
