import { describe, expect, it } from "vitest"
import { createKeyRing } from "./envelope.ts"

const key = (name: string, length = 32) => ({ name, key: new Uint8Array(length) })

describe("the key ring", () => {
  it("seals with the first key and finds the others by name", () => {
    const ring = createKeyRing([key("b"), key("a")])
    expect([ring.newest.name, ring.get("a")?.name, ring.get("c")]).toEqual(["b", "a", undefined])
  })

  it.each([
    ["no key", []],
    ["a key of another length", [key("a", 16)]],
    ["two keys of one name", [key("a"), key("a")]],
  ])("refuses %s", (_, keys) => {
    expect(() => createKeyRing(keys)).toThrow(expect.objectContaining({ code: "bad_settings" }))
  })
})
