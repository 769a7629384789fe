import { describe, expect, it } from "vitest"
import { discardBody, readErrorText, readLimited } from "./read-limited.ts"

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Returns a body in pieces that counts how many were taken, and breaks off after the last one if this is requested. */
function bodyOf(pieces: readonly string[], breaks = false) {
  const seen = { taken: 0, isClosed: false }
  async function* body() {
    try {
      for (const piece of pieces) {
        seen.taken += 1
        yield new TextEncoder().encode(piece)
      }
      if (breaks) throw new Error("cut")
    } finally {
      seen.isClosed = true
    }
  }
  return { body: body(), seen }
}

describe("readLimited", () => {
  it("reads a body of exactly the limit as a whole", async () => {
    const { bytes, isTruncated } = await readLimited(bodyOf(["ab", "cd"]).body, 4)
    expect([text(bytes), isTruncated]).toEqual(["abcd", false])
  })

  it("cuts a longer body at the limit, and closes it without reading the rest", async () => {
    const { body, seen } = bodyOf(["ab", "cd", "ef"])
    const { bytes, isTruncated } = await readLimited(body, 3)
    expect([text(bytes), isTruncated]).toEqual(["abc", true])
    expect(seen).toEqual({ taken: 2, isClosed: true })
  })

  it("reads no body as no bytes", async () => {
    expect((await readLimited(null, 3)).bytes).toHaveLength(0)
  })

  it("throws if the body breaks off", async () => {
    await expect(readLimited(bodyOf(["ab"], true).body, 3)).rejects.toThrow("cut")
  })
})

describe("readErrorText", () => {
  it("returns what arrived before the body broke off", async () => {
    expect(await readErrorText(bodyOf(["not ", "found"], true).body)).toBe("not found")
  })

  it("cuts a longer text at the limit, and closes the body", async () => {
    const { body, seen } = bodyOf(["ab", "cd", "ef"])
    expect(await readErrorText(body, 3)).toBe("abc")
    expect(seen).toEqual({ taken: 2, isClosed: true })
  })
})

describe("discardBody", () => {
  it("reads a body to its end", async () => {
    const { body, seen } = bodyOf(["ab", "cd"])
    await discardBody(body)
    expect(seen).toEqual({ taken: 2, isClosed: true })
  })
})
